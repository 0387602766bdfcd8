/**
 * What a text file beside an item's photos says, and whether the person wants it used; and why an item waits for the
 * person's look: null where nothing but a guess does, `begun` once the person had it go on.
 */
export const sql = `
alter table items add column text_name text;
alter table items add column text text;
alter table items add column text_used integer not null default 0;
alter table items add column hold text;
`;
