/** An assistant's rights are valid only if the access log contains the same `stamp`. */
export const sql = `
alter table assistants add column stamp text;
`;
