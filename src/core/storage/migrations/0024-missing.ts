/** `missing` is 1 if the service did not know the listing when it was last read. */
export const sql = `
alter table listing_keys add column missing integer not null default 0;
create index listings_missing on listing_keys (account, listing_id) where missing = 1;
`;
