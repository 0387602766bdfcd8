/**
 * The access that the person chose when accepting a pairing, until the assistant collects its token. A restart must not
 * forget it, since the default would grant more.
 */
export const sql = `
alter table pairings add column access text;
`;
