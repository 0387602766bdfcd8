/** Whether a change can be undone depends on its items, and the state before a change of thousands of photos is long. */
export const sql = `
create table arrangement_items (
  seq integer not null references arrangements (seq) on delete cascade,
  item_id text not null,
  primary key (seq, item_id)
) strict, without rowid;
insert into arrangement_items select distinct seq, value ->> '$.item_id' from arrangements, json_each(before, '$.items');
`;
