/** The changes of photos of written listings. At most one per item. */
export const sql = `
create table photo_changes (
  item_id text primary key references items (item_id) on delete cascade,
  account text not null,
  listing_id text not null,
  stage text not null,
  before text not null,
  wished text not null,
  rounds integer not null default 0,
  cancelled integer not null default 0,
  baseline text not null default '[]',
  shown text not null default '[]',
  problem text
) strict;
create index photo_changes_by_listing on photo_changes (account, listing_id);
`;
