/** Two assistants might use the same key, so the primary key contains the assistant. `wish` is null for older rows. */
export const sql = `
create table begun_calls_of (
  assistant_id text not null,
  call text not null,
  wish text,
  item_id text not null references items (item_id) on delete cascade,
  left_out text not null,
  begun_at integer not null,
  primary key (assistant_id, call)
) strict, without rowid;
insert into begun_calls_of
  select items.by ->> '$.assistantId', call, null, item_id, left_out, begun_at
    from begun_calls join items using (item_id) where items.by ->> '$.assistantId' is not null;
drop table begun_calls;
alter table begun_calls_of rename to begun_calls;
`;
