export const sql = `
ALTER TABLE channelListings ADD COLUMN shown TEXT NOT NULL DEFAULT '{}';
`;
