/** An assistant's rights are valid only if the access log contains this stamp too. */
export const sql = `
alter table assistants add column stamp text;
`;
