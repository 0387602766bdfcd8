/** What happens to an account over time: months that are billed, passwords, and its end. */
export const sql = `
ALTER TABLE people ADD COLUMN renewsAt INTEGER;
ALTER TABLE people ADD COLUMN hasPassword INTEGER NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN deletedAt INTEGER;
`;
