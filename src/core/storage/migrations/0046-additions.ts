/**
 * A drop of many photos is stored in parts before its items are created from them. The row in `additions` says that all
 * parts are stored.
 */
export const sql = `
create table addition_parts (
  addition_id text not null,
  part integer not null,
  content text not null,
  primary key (addition_id, part)
) without rowid;
create table additions (addition_id text primary key, facts text not null) without rowid;
`;
