/** The indexes of the history. Unreadable facts count as an empty id, so that such a row is never missed. */
export const sql = `
create index ledger_by_approval on ledger (case when json_valid(facts) then json_extract(facts, '$.approvalId') else '' end);
create index ledger_by_replaced on ledger (case when json_valid(facts) then json_extract(facts, '$.before') end);
create index ledger_by_time on ledger (at);
create index approvals_by_target on approvals (case when json_valid(prompt) then json_extract(prompt, '$.target.listingId') end);
`;
