/** `palette` is null for photos that were prepared before this migration. */
export const sql = `
alter table photos add column palette text;
`;
