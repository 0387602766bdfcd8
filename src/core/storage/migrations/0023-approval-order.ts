/** Only the end of the ledger is read, because a long ledger would delay the start. */
const recent = 'seq > (select max(seq) from ledger) - 5000';

export const sql = `
alter table approvals add column place_seq integer not null default 0;
alter table approvals add column asked_seq integer not null default 0;
alter table approvals add column answered_seq integer;
alter table approvals add column settled_seq integer;
alter table approvals add column is_correction integer not null default 0;
update approvals set place_seq = told.seq, asked_seq = told.seq
  from (select facts ->> '$.approvalId' as id, min(seq) as seq from ledger
    where kind in ('approval.asked', 'approval.replaced') and ${recent} group by id) as told
  where told.id = approval_id;
update approvals set answered_seq = told.seq
  from (select facts ->> '$.approvalId' as id, max(seq) as seq from ledger
    where kind in ('approval.approve', 'approval.decline', 'approval.withdraw', 'approval.expire', 'approval.takeBack')
    and ${recent} group by id) as told
  where told.id = approval_id and state <> 'pending';
update approvals set settled_seq = told.seq
  from (select facts ->> '$.approvalId' as id, max(seq) as seq from ledger
    where kind in ('approval.answer', 'approval.confirm', 'approval.refuse', 'approval.refute') and ${recent}
    group by id) as told
  where told.id = approval_id and state in ('done', 'failed');
`;
