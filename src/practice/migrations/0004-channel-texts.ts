/** What a channel other than the marketplace shows of a listing, as JSON: it was published there with it, and is changed apart. */
export const sql = `
ALTER TABLE channelListings ADD COLUMN shown TEXT NOT NULL DEFAULT '{}';
`;
