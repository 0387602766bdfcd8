/** What the file beside the database must say, too, for the rights of an assistant to be in force. */
export const sql = `
alter table assistants add column stamp text;
`;
