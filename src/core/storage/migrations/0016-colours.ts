/**
 * The main colours of a photo show where the photos of another item begin. Null for photos that were prepared before
 * this migration.
 */
export const sql = `
alter table photos add column colours text;
`;
