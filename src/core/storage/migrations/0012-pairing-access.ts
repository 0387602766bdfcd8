/** If a restart lost the access that the person chose, the assistant would get the larger default access. */
export const sql = `
alter table pairings add column access text;
`;
