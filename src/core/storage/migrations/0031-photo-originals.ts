/** Size and SHA-256 of the file that a photo was prepared from; null for photos that were prepared before this migration. */
export const sql = `
alter table photos add column original_bytes integer;
alter table photos add column original_sha256 text;
create index photos_by_original on photos (original_bytes, original_sha256) where original_bytes is not null;
`;
