/** `section` is the number of the item's section in the list. It is a number, so that an index can sort by it. */
export const sql = `
alter table items add column section integer not null default 2;
update items set section = case
  when step in ('live', 'ended') then 0
  when stop is not null then case when stop ->> '$.code' in ('ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT') then 2 else 3 end
  when step = 'review' then case when checked_at is null then 3 else 1 end
  when review_reason <> 'reviewed' then 3
  else 2 end;
drop index items_by_section;
create index items_by_section on items (account, section, created_at);
`;
