export const sql = `
alter table items add column checked_at integer;
create index items_by_section on items (account, (case
  when step in ('live', 'ended') then 0
  when stop is not null then case when stop ->> '$.code' in ('ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT') then 2 else 3 end
  when step = 'review' then case when checked_at is null then 3 else 1 end
  when guessed <> 0 then 3
  else 2 end), created_at);
`;
