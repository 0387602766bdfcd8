/** Photos that are added to those a listing has already: how many it had when the person began to add. */
export const sql = `
alter table items add column photos_from integer not null default 0;
`;
