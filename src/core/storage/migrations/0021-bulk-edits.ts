export const sql = `
create table bulk_edits (
  seq integer primary key,
  account text not null,
  edit_id text not null,
  field text not null,
  rows text not null,
  unique (account, edit_id)
) strict;
`;
