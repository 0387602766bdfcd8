/** Whether the assistant got the answer of the call. Until then, a repeated call gets it, whatever its item does. */
export const sql = `
alter table begun_calls add column delivered integer not null default 0;
`;
