/** The coarse colours of a photo, which tell where another item begins. Null for photos that were prepared before. */
export const sql = `
alter table photos add column colours text;
`;
