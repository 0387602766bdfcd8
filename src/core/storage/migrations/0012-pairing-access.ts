/**
 * The access that the person chose is stored here until the assistant collects its token. If a restart lost it, the
 * assistant would get the larger default access.
 */
export const sql = `
alter table pairings add column access text;
`;
