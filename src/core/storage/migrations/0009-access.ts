/** The stamp that the access log must contain, too, for an assistant's rights to be valid. */
export const sql = `
alter table assistants add column stamp text;
`;
