/**
 * The contact sheet reads all photos of thousands of items, so it reads them from this index alone. Photos at the
 * service are not in it, because their items are not on the sheet. The last three columns are always null; with them,
 * SQLite needs no row of the table.
 */
export const sql = `
create index photos_on_sheet on photos (item_id, position, photo_id, name, taken_at,
  coalesce(substr(sha256, 1, 16), thumb_path is null), label_sku, choice, removed_at, slot, uploaded_at)
  where removed_at is null and slot is null and uploaded_at is null;
`;
