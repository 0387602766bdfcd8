/** The template that an item begins with: '' is none, null leaves it to the service. It was never asked about before. */
export const sql = `
alter table items add column template_id text;
`;
