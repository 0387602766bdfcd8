/** Every call looks for auctions whose days are over: among those alone, not among all listings of the person. */
export const sql = `
CREATE INDEX auctionsOfPerson ON listings (userId, publishedAt) WHERE status = 'published' AND format = 'AUCTION';
`;
