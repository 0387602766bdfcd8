/** Adds the fields shown on a channel other than the marketplace, as JSON; they are revised per channel. */
export const sql = `
ALTER TABLE channelListings ADD COLUMN shown TEXT NOT NULL DEFAULT '{}';
`;
