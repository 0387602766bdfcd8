/** What calls of assistants have begun whose answers have not left yet: the same call takes it up, also after a crash. */
export const sql = `
create table begun_calls (
  call text primary key,
  item_id text not null references items (item_id) on delete cascade,
  left_out text not null,
  begun_at integer not null
) strict, without rowid;
`;
