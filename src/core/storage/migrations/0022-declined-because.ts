/** Why the person declined; the asking assistant reads it. */
export const sql = `
alter table approvals add column declined_because text;
`;
