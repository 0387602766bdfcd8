/** `photos_from` is the number of photos that the listing had before the person added photos to it. */
export const sql = `
alter table items add column photos_from integer not null default 0;
`;
