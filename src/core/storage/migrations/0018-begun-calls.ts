/**
 * Assistants' calls and the items they created, so that a call repeated after a lost answer or a crash is idempotent.
 */
export const sql = `
create table begun_calls (
  call text primary key,
  item_id text not null references items (item_id) on delete cascade,
  left_out text not null,
  begun_at integer not null
) strict, without rowid;
`;
