export const sql = `
create table settings (name text primary key, value text not null) strict;

create table items (
  item_id text primary key,
  account text not null,
  name text not null,
  note text not null default '',
  quantity integer not null default 1,
  by text not null,
  step text not null,
  stop text,
  idempotency_key text not null unique,
  draft_body text,
  draft_sent_at integer,
  listing_id text,
  writing_since integer,
  extras_approval text,
  created_at integer not null,
  updated_at integer not null
) strict;
create index items_by_account on items (account, created_at);
create unique index items_by_listing on items (account, listing_id) where listing_id is not null;

create table photos (
  photo_id text primary key,
  item_id text not null references items (item_id) on delete cascade,
  position integer not null,
  name text not null,
  source text not null,
  owned integer not null default 0,
  state text not null default 'waiting',
  code text,
  sentence text,
  path text,
  thumb_path text,
  content_type text,
  width integer,
  height integer,
  bytes integer,
  slot text,
  slot_at integer,
  uploaded_at integer
) strict;
create index photos_by_item on photos (item_id, position);

create table listings (
  account text not null,
  listing_id text not null,
  status text not null,
  title text,
  json text not null,
  changed_at integer not null,
  primary key (account, listing_id)
) strict;

create table generations (
  account text not null,
  listing_id text not null,
  state text not null,
  sent_at integer not null,
  primary key (account, listing_id)
) strict;

create table approvals (
  approval_id text primary key,
  account text not null,
  asker text not null,
  asker_id text not null,
  route text not null,
  input text not null,
  request_digest text not null,
  digest text not null,
  state text not null,
  prompt text not null,
  bound text not null,
  first text not null default '[]',
  reason text,
  since_shown text not null default '[]',
  asked_at integer not null,
  shown_at integer not null,
  expires_at integer not null,
  decided_at integer,
  sent_at integer,
  settled_at integer,
  answer text,
  outcome text,
  superseded_by text,
  batch_id text
) strict;
create index approvals_by_state on approvals (state, asked_at);
create unique index approvals_waiting_once on approvals (request_digest) where state = 'pending';

create table ledger (
  seq integer primary key,
  at integer not null,
  kind text not null,
  facts text not null,
  previous text not null,
  hash text not null
) strict;
create trigger ledger_keeps before update on ledger begin select raise(abort, 'the ledger only grows'); end;
create trigger ledger_stays before delete on ledger begin select raise(abort, 'the ledger only grows'); end;

create table assistants (
  assistant_id text primary key,
  name text not null,
  token_sha256 text not null unique,
  paired_at integer not null,
  last_used_at integer,
  paused_at integer,
  publishes_per_day integer,
  money_cents_per_day integer,
  touches text not null default 'all'
) strict;

create table batches (
  batch_id text primary key,
  account text not null,
  rows text not null,
  asked_at integer not null,
  closed_at integer
) strict;

create table listing_makers (
  account text not null,
  listing_id text not null,
  asker_id text not null,
  primary key (account, listing_id)
) strict;

create table pairings (
  pairing_id text primary key,
  name text not null,
  code text not null,
  secret_sha256 text not null,
  state text not null,
  asked_at integer not null,
  expires_at integer not null
) strict;
`;
