/** Adds the template's footer, the target of an adaptation, and the state of a subscription at the billing provider. */
export const sql = `
ALTER TABLE listings ADD COLUMN descriptionFooter TEXT;
ALTER TABLE listings ADD COLUMN adaptTo TEXT;
ALTER TABLE people ADD COLUMN subscription TEXT NOT NULL DEFAULT 'active';
`;
