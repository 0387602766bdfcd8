/** Every call searches for ended auctions. Without the index, the query would scan all listings of the person. */
export const sql = `
CREATE INDEX auctionsOfPerson ON listings (userId, publishedAt) WHERE status = 'published' AND format = 'AUCTION';
`;
