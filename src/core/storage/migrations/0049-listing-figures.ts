/**
 * The pick list and the counts of listings are read after each change of a listing, so they must not read the JSON of
 * all listings. `ended_at` is in ms since 1970. The interface does not document `endedAt`, so any other value than a
 * time counts as unknown. It is filled for sold listings only; other listings get it when they change.
 */
export const sql = `
alter table listing_keys add column ended_at integer;
update listing_keys set ended_at = (
  select case json_type(json, '$.endedAt') when 'text' then unixepoch(json ->> 'endedAt') * 1000 end
  from listings where listings.account = listing_keys.account and listings.listing_id = listing_keys.listing_id)
where status = 'sold';
create index listings_sold on listing_keys (account, ended_at, listing_id) where status = 'sold';
create index listings_by_site on listing_keys (account, site, status, price_cents);
create index sales_sent on sales (account, sent_at) where sent_at is not null;
create index sales_to_send on sales (account, sold_at) where sent_at is null and sold_at is not null;
`;
