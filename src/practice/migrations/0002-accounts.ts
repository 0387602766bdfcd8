export const sql = `
ALTER TABLE people ADD COLUMN renewsAt INTEGER;
ALTER TABLE people ADD COLUMN hasPassword INTEGER NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN deletedAt INTEGER;
CREATE INDEX listingsInState ON listings (userId, status, seq);
`;
