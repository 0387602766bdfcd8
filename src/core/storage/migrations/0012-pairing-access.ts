/** What the person chose for an assistant as they let it in, until it collects its token: what a restart forgot would be too much. */
export const sql = `
alter table pairings add column access text;
`;
