export const sql = `
ALTER TABLE listings ADD COLUMN descriptionFooter TEXT;
ALTER TABLE listings ADD COLUMN adaptTo TEXT;
ALTER TABLE people ADD COLUMN subscription TEXT NOT NULL DEFAULT 'active';
`;
