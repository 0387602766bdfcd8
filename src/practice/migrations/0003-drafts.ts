/** What a draft took from its template, and the site and language that a listing is being written again for. */
export const sql = `
ALTER TABLE listings ADD COLUMN descriptionFooter TEXT;
ALTER TABLE listings ADD COLUMN adaptTo TEXT;
`;
