/** `access` is what the person chose. Without it, an assistant would get the larger default access after a restart. */
export const sql = `
alter table pairings add column access text;
`;
