/** The template of an item: '' is none, null leaves it to the service. Null for older items. */
export const sql = `
alter table items add column template_id text;
`;
