/**
 * What a draft took from its template, the site and language that a listing is being written again for, and whether the
 * billing provider has a plan's subscription active, unpaid, or not set up yet.
 */
export const sql = `
ALTER TABLE listings ADD COLUMN descriptionFooter TEXT;
ALTER TABLE listings ADD COLUMN adaptTo TEXT;
ALTER TABLE people ADD COLUMN subscription TEXT NOT NULL DEFAULT 'active';
`;
