/** `known`: this companion uploaded the photo (`sent`) or downloaded it (`read`). */
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
