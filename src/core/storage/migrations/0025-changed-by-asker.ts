export const sql = `
alter table approvals add column changed_by_asker integer not null default 0;
`;
