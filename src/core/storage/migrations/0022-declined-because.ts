export const sql = `
alter table approvals add column declined_because text;
`;
