/** Listings that the service did not know when they were last read. They stay here until it knows them again. */
export const sql = `
alter table listing_keys add column missing integer not null default 0;
create index listings_missing on listing_keys (account, listing_id) where missing = 1;
`;
