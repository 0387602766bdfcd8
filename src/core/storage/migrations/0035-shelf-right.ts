/** 1 if the assistant may see and change places, SKUs, tags and notes. */
export const sql = `alter table assistants add column shelf integer not null default 0;`;
