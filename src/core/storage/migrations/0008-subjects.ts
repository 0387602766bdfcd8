/**
 * Pending approvals in the earlier format stay pending, but their prompts are replaced before the person can approve
 * them.
 */
export const sql = `
alter table approvals add column subject text;
alter table approvals add column listing_id text;
alter table approvals add column held_until integer;
alter table approvals add column checked_at integer;
alter table approvals add column differences text not null default '[]';

update approvals set
  listing_id = json_extract(input, '$.params.listingId'),
  checked_at = settled_at,
  subject = json_object('version', 1, 'request', json_object('route', route, 'input', json(input)), 'first', json(first),
    'asker', asker_id, 'account', account, 'bound', json(bound)),
  prompt = json_set(prompt, '$.facts', json(coalesce((
    select json_group_array(json_patch(json_object('namespace', 'listing', 'key', cast(fact.key as text)), fact.value))
    from json_each(approvals.prompt, '$.target.facts') as fact), '[]')));

alter table approvals drop column input;
alter table approvals drop column bound;
alter table approvals drop column first;
create index approvals_by_listing on approvals (account, listing_id, state);

alter table batches add column asker text not null default '{"kind":"person"}';
alter table batches add column reason text;

alter table assistants add column account text;

create table extras_books (
  extras_approval_id text primary key,
  account text not null,
  asker text not null,
  asker_id text not null,
  remaining integer not null,
  made_at integer not null
) strict;

create table field_writes (
  account text not null,
  field text not null,
  primary key (account, field)
) strict;

create table field_moves (
  account text not null,
  field text not null,
  seen integer not null,
  moves integer not null default 0,
  primary key (account, field)
) strict;
`;
