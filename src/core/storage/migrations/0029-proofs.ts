/** `proof_id` names the proof of a yes. It is null if no proof was set up. One proof can cover all rows of a batch. */
export const sql = `create table proofs (proof_id text primary key, proof text not null) strict;
alter table approvals add column proof_id text;`;
