/**
 * `known` is `sent` if this companion uploaded the photo, `read` if it downloaded the photo. A sent photo must be
 * checked at the service if `slot_opened_at` is set, because a later upload can have replaced it.
 */
export const sql = `
create table bound_photos (
  account text not null,
  listing_id text not null,
  address text not null,
  sha256 text not null,
  content_type text not null,
  etag text,
  last_modified text,
  known text not null check (known in ('sent', 'read')),
  at integer not null,
  slot_opened_at integer,
  primary key (account, listing_id, address)
) strict, without rowid;
`;
