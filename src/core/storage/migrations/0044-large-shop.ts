/**
 * The words of a row get an end of the line at their end, so that each text of two letters is the beginning of a group of
 * three characters. `ledger_word_groups` lists the groups.
 */
const words = (row: string): string => `${row}.kind || char(10) || ${row}.facts || char(10) || coalesce(
  (select case when json_valid(prompt) then json_extract(prompt, '$.target.title') end from approvals
    where approval_id = case when json_valid(${row}.facts) then json_extract(${row}.facts, '$.approvalId') else '' end), '')
  || char(10)`;

/** The indexes let searches and starts read only the rows that they need, however large the shop is. */
export const sql = `
drop trigger ledger_words_added;
drop table ledger_words;
create virtual table ledger_words using fts5 (words, content = '', detail = none, tokenize = 'trigram');
insert into ledger_words (rowid, words) select seq, ${words('ledger')} from ledger order by seq;
create trigger ledger_words_added after insert on ledger begin
  insert into ledger_words (rowid, words) values (new.seq, ${words('new')});
end;
create virtual table ledger_word_groups using fts5vocab (ledger_words, instance);

create index ledger_by_assistant on ledger (case when json_valid(facts) then json_extract(facts, '$.assistantId') end)
  where case when json_valid(facts) then json_extract(facts, '$.assistantId') end is not null;
create index approvals_of_asker_in_state on approvals (asker_id, state);
create index approvals_of_asker_decided on approvals (asker_id, coalesce(sent_at, decided_at, asked_at));
create index approvals_of_asker_settled on approvals (asker_id, coalesce(settled_at, decided_at, shown_at));
create index approvals_of_asker_in_batch on approvals (asker_id, settled_at) where batch_id is not null;
create index approvals_of_batch on approvals (batch_id) where batch_id is not null;
create index approvals_decided on approvals (account, place_seq) where state not in ('pending', 'superseded');
create index approvals_in_state on approvals (account, state, place_seq);
create index approvals_unchecked on approvals (account, settled_at) where state = 'done' and checked_at is null;
create index listings_being_written on listings (account, listing_id) where status = 'processing';
`;
