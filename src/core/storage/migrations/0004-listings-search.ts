/** Each index contains every filtered column, so that a query reads only the index. */
export const sql = `
create table listing_keys (
  row_id integer primary key,
  account text not null,
  listing_id text not null,
  status text not null,
  title text,
  site text,
  price_cents integer,
  listed_at integer not null,
  unique (account, listing_id)
) strict;

insert into listing_keys (account, listing_id, status, title, site, price_cents, listed_at)
select account, listing_id, status, title, json_extract(json, '$.marketplaceId'), json_extract(json, '$.price'),
  coalesce(unixepoch(json_extract(json, '$.createdAt')) * 1000, changed_at)
from listings;

create index listings_by_age on listing_keys (account, listed_at, row_id, status, site, price_cents);
create index listings_by_status on listing_keys (account, status, listed_at, row_id, site, price_cents);
create index listings_by_price on listing_keys (account, price_cents, row_id, status, site, listed_at);
create index listings_by_title on listing_keys (account, title collate nocase, row_id, status, site, listed_at, price_cents);

create virtual table listing_words using fts5 (
  title, words, content = '', contentless_delete = 1, prefix = '2', tokenize = 'unicode61 remove_diacritics 2'
);
insert into listing_words (rowid, title, words)
select row_id, coalesce(listing_keys.title, ''), coalesce(json_extract(json, '$.description'), '') || ' ' ||
  coalesce(json_extract(json, '$.categoryName'), '') || ' ' || coalesce(json_extract(json, '$.sku'), '')
from listing_keys join listings using (account, listing_id);
`;
