/**
 * The text file beside an item's photos, and whether it is used; and why an item waits for review: null for a guess
 * only, `begun` once the person has started it.
 */
export const sql = `
alter table items add column text_name text;
alter table items add column text text;
alter table items add column text_used integer not null default 0;
alter table items add column hold text;
`;
