export const sql = `
alter table items add column guessed integer not null default 0;
alter table items add column barcode_choices text not null default '{}';

alter table photos add column edits text;
alter table photos add column choice text;
alter table photos add column aside text;
alter table photos add column duplicate_of text;
alter table photos add column removed_at integer;
alter table photos add column taken_at integer;
alter table photos add column sha256 text;
alter table photos add column hash64 text;
alter table photos add column sheet integer not null default 0;
alter table photos add column warnings text not null default '[]';
alter table photos add column barcodes text not null default '[]';

create table arrangements (
  seq integer primary key,
  account text not null,
  label text not null,
  at integer not null,
  before text not null
) strict;

create table watched_files (folder text not null, path text not null, primary key (folder, path)) strict, without rowid;
`;
