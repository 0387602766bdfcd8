/**
 * What listings are found, filtered and sorted by, in columns of their own; and their words, for the full-text search.
 * The rows get a number that stays, as the words are kept under it.
 */
export const sql = `
create table listings_found (
  row_id integer primary key,
  account text not null,
  listing_id text not null,
  status text not null,
  title text,
  json text not null,
  changed_at integer not null,
  site text,
  price_cents integer,
  listed_at integer not null,
  unique (account, listing_id)
) strict;

insert into listings_found (account, listing_id, status, title, json, changed_at, site, price_cents, listed_at)
select account, listing_id, status, title, json, changed_at, json_extract(json, '$.marketplaceId'),
  json_extract(json, '$.price'), coalesce(unixepoch(json_extract(json, '$.createdAt')) * 1000, changed_at)
from listings;

drop table listings;
alter table listings_found rename to listings;

create index listings_by_age on listings (account, listed_at, row_id);
create index listings_by_status on listings (account, status, listed_at, row_id);
create index listings_by_site on listings (account, site, listed_at, row_id);
create index listings_by_price on listings (account, price_cents, row_id);
create index listings_by_title on listings (account, title collate nocase, row_id);

create virtual table listing_words using fts5 (
  title, words, content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
insert into listing_words (rowid, title, words)
select row_id, coalesce(title, ''), coalesce(json_extract(json, '$.description'), '') || ' ' ||
  coalesce(json_extract(json, '$.categoryName'), '') || ' ' || coalesce(json_extract(json, '$.sku'), '')
from listings;
`;
