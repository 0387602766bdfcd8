/**
 * The texts by which the history finds its rows, as groups of three characters. A row of the ledger, its approval and the
 * prompt of the approval never change. Unreadable facts and prompts have no title.
 */
const words = (row: string): string => `${row}.kind || char(10) || ${row}.facts || char(10) || coalesce(
  (select case when json_valid(prompt) then json_extract(prompt, '$.target.title') end from approvals
    where approval_id = case when json_valid(${row}.facts) then json_extract(${row}.facts, '$.approvalId') else '' end), '')`;

export const sql = `
create virtual table ledger_words using fts5 (words, content = '', detail = none, tokenize = 'trigram');
insert into ledger_words (rowid, words) select seq, ${words('ledger')} from ledger order by seq;
create trigger ledger_words_added after insert on ledger begin
  insert into ledger_words (rowid, words) values (new.seq, ${words('new')});
end;

create index approvals_by_asker on approvals (asker_id);
`;
