/** What happens to an account over time: months that are billed, passwords, and its end. A list of one state is quick. */
export const sql = `
ALTER TABLE people ADD COLUMN renewsAt INTEGER;
ALTER TABLE people ADD COLUMN hasPassword INTEGER NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN deletedAt INTEGER;
CREATE INDEX listingsInState ON listings (userId, status, seq);
`;
