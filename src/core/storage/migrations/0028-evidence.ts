/** `evidence` says how the person gave the yes. It is null for a yes of an older version. */
export const sql = `alter table approvals add column evidence text;`;
