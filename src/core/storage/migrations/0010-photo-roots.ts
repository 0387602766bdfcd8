/** What a photo was given with, by its real path: it is read from nowhere else. Null for copies, and for photos from before. */
export const sql = `
alter table photos add column root text;
`;
