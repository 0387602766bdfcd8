/** The number of photos that a listing had before the person began to add photos. */
export const sql = `
alter table items add column photos_from integer not null default 0;
`;
