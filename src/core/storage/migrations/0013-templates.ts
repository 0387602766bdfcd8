/** A `template_id` of '' means no template; null means that the service chooses. */
export const sql = `
alter table items add column template_id text;
`;
