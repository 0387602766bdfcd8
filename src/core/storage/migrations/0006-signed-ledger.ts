export const sql = `
alter table ledger add column signature text;
create index ledger_by_kind on ledger (kind, seq);
`;
