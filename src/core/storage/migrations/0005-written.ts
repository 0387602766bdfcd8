/** `written` stores each listing as it is when it first reaches review. */
export const sql = `
create table written (
  account text not null,
  listing_id text not null,
  json text not null,
  at integer not null,
  primary key (account, listing_id)
) strict;

insert into written (account, listing_id, json, at)
select account, listing_id, json, changed_at from listings where status = 'pending_review';
`;
