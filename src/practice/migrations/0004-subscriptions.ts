/** Whether the billing provider has a plan's subscription active, unpaid, or not set up yet. */
export const sql = `
ALTER TABLE people ADD COLUMN subscription TEXT NOT NULL DEFAULT 'active';
`;
