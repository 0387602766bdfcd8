/** `root` is the real path that the person chose; null for copies and older photos. */
export const sql = `
alter table photos add column root text;
`;
