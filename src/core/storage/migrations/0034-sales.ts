/**
 * What the companion knows about the sale of a listing. `sold_at` is null if the companion did not see the sale. `sent_at`
 * is null until the person ticks the parcel as sent.
 */
export const sql = `
create table sales (
  account text not null,
  listing_id text not null,
  sold_at integer,
  sent_at integer,
  primary key (account, listing_id)
) strict, without rowid;
`;
