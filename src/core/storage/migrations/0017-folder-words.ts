export const sql = `
alter table items add column text_name text;
alter table items add column text text;
alter table items add column text_used integer not null default 0;
alter table items add column hold text;
`;
