/** Stores the item that a call created, so that a repeated call creates no second item. */
export const sql = `
create table begun_calls (
  call text primary key,
  item_id text not null references items (item_id) on delete cascade,
  left_out text not null,
  begun_at integer not null
) strict, without rowid;
`;
