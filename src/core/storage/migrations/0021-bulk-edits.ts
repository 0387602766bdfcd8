/** What the person last changed of many listings at once, with what there was before: it can be put back after a restart, too. */
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
