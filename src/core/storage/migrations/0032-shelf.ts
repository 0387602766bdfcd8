/**
 * What the seller knows about an item and the service does not. A row follows its item to the listing and outlives the
 * item. The keys are the values in lower case, and `words` is the text that the searches read.
 */
export const sql = `
create table shelf (
  shelf_id integer primary key,
  account text not null,
  item_id text,
  listing_id text,
  fields text not null default '{}',
  sku_key text,
  place_key text,
  words text not null default '',
  changed_at integer not null
) strict;
create unique index shelf_by_item on shelf (account, item_id) where item_id is not null;
create unique index shelf_by_listing on shelf (account, listing_id) where listing_id is not null;
create index shelf_by_sku on shelf (account, sku_key) where sku_key is not null;
create index shelf_by_place on shelf (account, place_key) where place_key is not null;

create table generated_skus (
  account text not null,
  sku_key text not null,
  frame text not null,
  number integer not null,
  primary key (account, sku_key)
) strict, without rowid;
create index generated_skus_by_frame on generated_skus (account, frame, number);

create table shelf_edits (
  account text primary key,
  kind text not null,
  at integer not null,
  rows text not null
) strict;

create virtual table shelf_words using fts5 (
  words, content = 'shelf', content_rowid = 'shelf_id', prefix = '2', tokenize = 'unicode61 remove_diacritics 2'
);
create trigger shelf_words_added after insert on shelf begin
  insert into shelf_words (rowid, words) values (new.shelf_id, new.words);
end;
create trigger shelf_words_removed after delete on shelf begin
  insert into shelf_words (shelf_words, rowid, words) values ('delete', old.shelf_id, old.words);
end;
create trigger shelf_words_changed after update of words on shelf when new.words <> old.words begin
  insert into shelf_words (shelf_words, rowid, words) values ('delete', old.shelf_id, old.words);
  insert into shelf_words (rowid, words) values (new.shelf_id, new.words);
end;

create trigger shelf_follows_new_item after insert on items when new.listing_id is not null begin
  update shelf set item_id = new.item_id where account = new.account and listing_id = new.listing_id
    and not exists (select 1 from shelf own where own.account = new.account and own.item_id = new.item_id);
end;
create trigger shelf_follows_item after update of listing_id on items when new.listing_id is not old.listing_id begin
  update shelf set fields = json_patch(other.fields, shelf.fields), sku_key = coalesce(shelf.sku_key, other.sku_key),
      place_key = coalesce(shelf.place_key, other.place_key), words = shelf.words || ' ' || other.words
    from shelf as other where shelf.account = new.account and shelf.item_id = new.item_id
      and other.account = new.account and other.listing_id = new.listing_id and other.shelf_id <> shelf.shelf_id;
  delete from shelf where account = new.account and listing_id = new.listing_id and item_id is not new.item_id
    and exists (select 1 from shelf own where own.account = new.account and own.item_id = new.item_id);
  update shelf set listing_id = new.listing_id where account = new.account and item_id = new.item_id;
  update shelf set item_id = new.item_id where account = new.account and listing_id = new.listing_id;
end;
`;
