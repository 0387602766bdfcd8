/** The real path that the person chose. Null for copies and older photos. */
export const sql = `
alter table photos add column root text;
`;
