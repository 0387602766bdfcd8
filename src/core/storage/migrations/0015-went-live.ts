/** Listings that are or were live cannot be deleted. */
export const sql = `
create table went_live (
  account text not null,
  listing_id text not null,
  primary key (account, listing_id)
) strict, without rowid;

insert or ignore into went_live (account, listing_id)
select account, listing_id from written where json_extract(json, '$.status') in ('published', 'ended', 'sold')
union
select account, listing_id from listings where status in ('published', 'ended', 'sold');
`;
