/** Every call looks for auctions that are due; this index avoids scanning all listings of the person. */
export const sql = `
CREATE INDEX auctionsOfPerson ON listings (userId, publishedAt) WHERE status = 'published' AND format = 'AUCTION';
`;
