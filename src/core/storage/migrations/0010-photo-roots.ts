/** The real path of what the person chose; a photo is read only inside it. Null for copies, and for older photos. */
export const sql = `
alter table photos add column root text;
`;
