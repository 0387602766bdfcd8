const buildReviewReasonSql = (guessed: string, hold: string): string => `case
  when ${guessed} = 3 then 'replacingPhotos'
  when ${guessed} = 0 then case when ${hold} is not null then 'reviewed' end
  when ${hold} = 'over_cap' then 'overCap'
  when ${hold} = 'unusable' then 'unusable'
  when ${guessed} = 1 then 'grouped'
  when ${hold} = 'person' then 'requested'
  else 'arranged' end`;

/** Replaces the columns `guessed` and `hold` by one column, also in the rows that an undo restores. */
export const sql = `
alter table items add column review_reason text;
update items set review_reason = ${buildReviewReasonSql('guessed', 'hold')};
drop index items_by_step;
drop index items_by_section;
alter table items drop column guessed;
alter table items drop column hold;
create index items_by_step on items (account, step, created_at, review_reason, stop);
create index items_by_section on items (account, (case
  when step in ('live', 'ended') then 0
  when stop is not null then case when stop ->> '$.code' in ('ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT') then 2 else 3 end
  when step = 'review' then case when checked_at is null then 3 else 1 end
  when review_reason <> 'reviewed' then 3
  else 2 end), created_at);

update arrangements set before = json_set(before, '$.items', json((
  select json_group_array(json_set(
    json_remove(value, '$.guessed', '$.hold'),
    '$.review_reason', ${buildReviewReasonSql("value ->> '$.guessed'", "value ->> '$.hold'")}))
  from json_each(before, '$.items'))))
where json_array_length(before, '$.items') > 0;

update settings set value = json_set(json_remove(value, '$.holdDrops'), '$.deferDrops', json(value -> '$.holdDrops'))
where name = 'settings' and value -> '$.holdDrops' is not null;
`;
