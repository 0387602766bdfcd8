/** Why the person said no: the assistant that asked reads it. */
export const sql = `
alter table approvals add column declined_because text;
`;
