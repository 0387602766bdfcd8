/** The first character and the length of each band. A search uses an index only with the same expression. */
export const hashBands = [
  [1, 3],
  [4, 3],
  [7, 3],
  [10, 3],
  [13, 4],
] as const;

const bandIndexes = hashBands
  .map(
    ([from, length], at) =>
      `create index photos_by_band_${at} on photos (substr(hash64, ${from}, ${length})) where hash64 is not null;`,
  )
  .join('\n');

const selectBarcodes = (row: string, from: string): string => `
  select ${row}.account, ltrim(specific.value, '0'), ${row}.listing_id
  from ${from} json_each(${row}.json, '$.itemSpecifics') specific
  where upper(specific.key) in ('EAN', 'UPC', 'ISBN', 'GTIN') and specific.type = 'text'
    and length(specific.value) between 8 and 14 and specific.value not glob '*[^0-9]*'`;

/**
 * Finds live listings of the same thing. A hash of a photo has five bands, so two hashes that differ in at most four bits
 * share a band. Barcodes have no leading zeros, so that a UPC equals its EAN. An answer is the person's "Different item".
 */
export const sql = `
${bandIndexes}

create table listing_barcodes (
  account text not null,
  barcode text not null,
  listing_id text not null,
  primary key (account, barcode, listing_id)
) strict, without rowid;
create index barcodes_by_listing on listing_barcodes (account, listing_id);
insert or ignore into listing_barcodes ${selectBarcodes('listings', 'listings,')};
create trigger listing_barcodes_added after insert on listings begin
  insert or ignore into listing_barcodes ${selectBarcodes('new', '')};
end;
create trigger listing_barcodes_changed after update of json on listings when new.json <> old.json begin
  delete from listing_barcodes where account = old.account and listing_id = old.listing_id;
  insert or ignore into listing_barcodes ${selectBarcodes('new', '')};
end;
create trigger listing_barcodes_removed after delete on listings begin
  delete from listing_barcodes where account = old.account and listing_id = old.listing_id;
end;

create table different_items (
  account text not null,
  listing_id text not null,
  live_listing_id text not null,
  primary key (account, listing_id, live_listing_id)
) strict, without rowid;
`;
