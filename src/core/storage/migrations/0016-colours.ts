/** The coarse colours of a photo, used to tell where another item begins. Null for photos prepared before. */
export const sql = `
alter table photos add column colours text;
`;
