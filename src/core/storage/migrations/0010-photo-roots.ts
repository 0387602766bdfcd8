/** The real path that the person chose; a photo is read only inside it. Null for copies and older photos. */
export const sql = `
alter table photos add column root text;
`;
