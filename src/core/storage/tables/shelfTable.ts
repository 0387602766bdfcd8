import * as z from 'zod';
import {
  buildShelfWords,
  emptyShelf,
  maxTags,
  shelfFields,
  toShelfKey,
  uniteTags,
  type ShelfChanges,
  type ShelfFields,
} from '../../base/shelfFields.ts';
import { createJsonColumn, prepareStatement, textValues, type Db } from '../database.ts';

const storedFields = z.object(shelfFields.shape).partial();

/** The column `fields` with a null for each field that has no value; null if there is no row. */
export const shelfColumn = createJsonColumn(storedFields)
  .transform((fields): ShelfFields => ({ ...emptyShelf, ...omitUndefinedFields(fields) }))
  .nullable();

const omitUndefinedFields = (fields: object): Partial<ShelfFields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const shelfRow = z.object({
  shelf_id: z.int(),
  item_id: z.string().nullable(),
  listing_id: z.string().nullable(),
  fields: shelfColumn.unwrap(),
  changed_at: z.int(),
});
export type ShelfRow = z.infer<typeof shelfRow>;
const shelfRows = z.array(shelfRow);

/** An item, a listing, or an item with its listing. */
export type ShelfTarget = { itemId: string | null; listingId: string | null };

const namedTarget = z.object({ itemId: z.string().nullable(), listingId: z.string().nullable(), name: z.string() });
/** `name` is the title of the listing, or else the name of the item. */
export type NamedShelfTarget = z.infer<typeof namedTarget>;
const namedTargets = z.array(namedTarget);

const editRow = z.object({
  shelfId: z.int(),
  before: storedFields,
  after: storedFields,
});
const storedEdit = z.object({
  kind: z.enum(['bulk', 'number']),
  at: z.int(),
  rows: createJsonColumn(z.array(editRow)),
});
/** The last bulk edit or numbering. `before` and `after` contain only the changed fields. */
export type ShelfEdit = z.infer<typeof storedEdit>;

const operatorNames = ['place', 'sku', 'tag'] as const;
type OperatorName = (typeof operatorNames)[number];

/** Values that a row must have. */
export type ShelfValues = Partial<Record<OperatorName, string>>;

/** The parts of a search text: the words, and the values after `place:`, `sku:` and `tag:`. */
export type ShelfQuery = { words: string } & Record<OperatorName, string | null>;

const operator = new RegExp(String.raw`(?:^|\s)(${operatorNames.join('|')}):(?:"([^"]*)"?|(\S*))`, 'giu');

const isOperatorName = (name: string): name is OperatorName => operatorNames.some((one) => one === name);

/** Splits `place:A04`, `place:"Regal 3"`, `sku:A04-3` and `tag:vintage` from the words of a search text. */
export const parseShelfQuery = (text: string): ShelfQuery => {
  const found: ShelfQuery = { words: text, place: null, sku: null, tag: null };
  found.words = text
    .replace(operator, (_all, name: string, quoted: string | undefined, plain: string | undefined) => {
      const value = (quoted ?? plain ?? '').trim();
      // While the person types, the value is still empty, and the list does not change.
      const operatorName = name.toLowerCase();
      if (value !== '' && isOperatorName(operatorName)) found[operatorName] = value;
      return ' ';
    })
    .trim();
  return found;
};

/** Returns the smallest text that is greater than every text with this beginning. */
const getEndOfPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;

const indexedText = /[\p{L}\p{N}]/u;

type SqlCondition = { sql: string; values: string[] };

/**
 * Returns the SQL that selects the rows of a place, an SKU and a tag; null if the query names none. `place:A04` also
 * finds the places inside A04, whose names continue with a separator, such as "A04-left", but not "A041".
 */
export const buildShelfCondition = (
  account: string,
  { place, sku, tag }: Omit<ShelfQuery, 'words'>,
): SqlCondition | null => {
  const wishes: SqlCondition[] = [];
  if (place !== null) {
    const key = toShelfKey(place);
    wishes.push({
      sql: `(place_key = ? or (place_key > ? and place_key < ?
        and substr(place_key, length(?) + 1, 1) in (' ', '-', '/', '.', ',', ':', '_', '(')))`,
      values: [key, key, getEndOfPrefix(key), key],
    });
  }
  if (sku !== null) wishes.push({ sql: 'sku_key = ?', values: [toShelfKey(sku)] });
  if (tag !== null)
    wishes.push({
      // The word index narrows the search to few rows, whose tags are then compared. It does not contain tags without
      // letters and digits.
      sql: `${indexedText.test(tag) ? 'shelf_id in (select rowid from shelf_words where shelf_words match ?) and ' : ''}
        exists (select 1 from json_each(fields, '$.tags') where value = ? collate nocase)`,
      values: [...(indexedText.test(tag) ? [`"${tag.replaceAll('"', '""')}"`] : []), tag],
    });
  if (wishes.length === 0) return null;
  return {
    sql: `from shelf where account = ? and ${wishes.map(({ sql }) => sql).join(' and ')}`,
    values: [account, ...wishes.flatMap(({ values }) => values)],
  };
};

const nameOfTarget = `coalesce(
    (select nullif(k.title, '') from listing_keys k where k.account = shelf.account and k.listing_id = shelf.listing_id),
    (select name from items where items.item_id = shelf.item_id))`;
/** A row outlives its item, so a reader of many rows leaves out those without an item and a listing. */
const isAlive = `(exists (select 1 from items where items.item_id = shelf.item_id)
    or exists (select 1 from listing_keys k where k.account = shelf.account and k.listing_id = shelf.listing_id))`;

const createShelfReads = (db: Db) => {
  const readRow = (where: string, ...values: string[]): ShelfRow | null => {
    const found = prepareStatement(db, `select * from shelf where ${where}`).get(...values);
    return found === undefined ? null : shelfRow.parse(found);
  };
  return {
    ofItem: (account: string, itemId: string): ShelfRow | null =>
      readRow('account = ? and item_id = ?', account, itemId),
    ofListing: (account: string, listingId: string): ShelfRow | null =>
      readRow('account = ? and listing_id = ?', account, listingId),
    /** Returns the title of the listing, or else the name of the item; null if neither is stored. */
    nameOf: (account: string, { itemId, listingId }: ShelfTarget): string | null =>
      z
        .string()
        .nullable()
        .parse(
          prepareStatement(
            db,
            `select coalesce(
            (select nullif(title, '') from listing_keys where account = ? and listing_id = ?),
            (select name from items where account = ? and item_id = ?))`,
          )
            .pluck()
            .get(account, listingId, account, itemId),
        ),
    /** Returns the items and listings that have this SKU, the newest change first. */
    withSku: (account: string, sku: string): NamedShelfTarget[] =>
      namedTargets.parse(
        prepareStatement(
          db,
          `select (select item_id from items where items.item_id = shelf.item_id) as itemId, listing_id as listingId,
             coalesce(${nameOfTarget}, '') as name from shelf
           where account = ? and sku_key = ? and ${isAlive} order by changed_at desc, shelf_id desc limit 20`,
        ).all(account, toShelfKey(sku)),
      ),
    /** Returns whether something is or was in this place. */
    hasPlace: (account: string, place: string): boolean =>
      prepareStatement(db, 'select 1 from shelf where account = ? and place_key = ? limit 1').get(
        account,
        toShelfKey(place),
      ) !== undefined,
    /** Returns the keys of all SKUs with this beginning, also those of removed items. */
    skuKeysFrom: (account: string, prefix: string): string[] =>
      textValues.parse(
        prepareStatement(db, 'select sku_key from shelf where account = ? and sku_key >= ? and sku_key < ?')
          .pluck()
          .all(account, toShelfKey(prefix), getEndOfPrefix(toShelfKey(prefix))),
      ),
    /** Returns the ids of the items that the query finds by place, SKU and tag; null if it names none. */
    itemIds: (account: string, query: ShelfQuery): string[] | null => {
      const condition = buildShelfCondition(account, query);
      if (condition === null) return null;
      // Without the plus sign, SQLite would read all items by their index.
      const read = prepareStatement(db, `select item_id ${condition.sql} and +item_id is not null`).pluck();
      return textValues.parse(read.all(...condition.values));
    },
    rows: (account: string, itemIds: readonly string[]): ShelfRow[] =>
      shelfRows.parse(
        prepareStatement(
          db,
          'select * from shelf where account = ? and item_id in (select value from json_each(?))',
        ).all(account, JSON.stringify(itemIds)),
      ),
  };
};

const numbers = z.int().nullable();

const createGeneratedSkus = (db: Db) => {
  const highest = db.prepare('select max(number) from generated_skus where account = ? and frame = ?').pluck();
  const known = db.prepare(
    `select 1 from generated_skus where account = ? and sku_key = ?
     union all select 1 from shelf where account = ? and sku_key = ? limit 1`,
  );
  const frame = db.prepare('select frame from generated_skus where account = ? and sku_key = ?').pluck();
  const add = db.prepare('insert into generated_skus (account, sku_key, frame, number) values (?, ?, ?, ?)');
  const remove = db.prepare('delete from generated_skus where account = ? and sku_key = ?');
  return {
    highest: (account: string, of: string): number => numbers.parse(highest.get(account, of)) ?? 0,
    isTaken: (account: string, sku: string): boolean => {
      const key = toShelfKey(sku);
      return known.get(account, key, account, key) !== undefined;
    },
    /** Returns the frame of an SKU that was generated; null if the person typed it. */
    frameOf: (account: string, sku: string): string | null =>
      z
        .string()
        .optional()
        .parse(frame.get(account, toShelfKey(sku))) ?? null,
    add: (account: string, sku: string, of: string, number: number): void =>
      void add.run(account, toShelfKey(sku), of, number),
    /** Undoing a numbering makes its numbers available again. */
    release: (account: string, sku: string): void => void remove.run(account, toShelfKey(sku)),
  };
};

const createShelfEdits = (db: Db) => {
  const put = db.prepare(`insert into shelf_edits (account, kind, at, rows) values (?, ?, ?, ?)
    on conflict (account) do update set kind = excluded.kind, at = excluded.at, rows = excluded.rows`);
  const one = db.prepare('select kind, at, rows from shelf_edits where account = ?');
  const drop = db.prepare('delete from shelf_edits where account = ?');
  return {
    keep: (account: string, { kind, at, rows }: ShelfEdit): void =>
      void put.run(account, kind, at, JSON.stringify(rows)),
    last: (account: string): ShelfEdit | null => {
      const found = one.get(account);
      return found === undefined ? null : storedEdit.parse(found);
    },
    forget: (account: string): void => void drop.run(account),
  };
};

/** Returns the values of the columns from `fields` to `changed_at`. Empty fields are not stored. */
const toColumns = (fields: ShelfFields, at: number) => {
  const filled = Object.entries(fields).filter(
    ([, value]) => value !== null && (!Array.isArray(value) || value.length > 0),
  );
  const keys = [fields.sku, fields.place].map((text) => (text === null ? null : toShelfKey(text)));
  return [JSON.stringify(Object.fromEntries(filled)), ...keys, buildShelfWords(fields), at];
};

export type ShelfTable = ReturnType<typeof createShelfTable>;

/** Creates the table of what the seller knows about items and listings. The words of the searches are kept with it. */
export const createShelfTable = (db: Db) => {
  const reads = createShelfReads(db);
  const insert =
    db.prepare(`insert into shelf (account, item_id, listing_id, fields, sku_key, place_key, words, changed_at)
    values (?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = db.prepare(
    'update shelf set fields = ?, sku_key = ?, place_key = ?, words = ?, changed_at = ? where shelf_id = ?',
  );
  const byId = db.prepare('select * from shelf where shelf_id = ?');
  const forget = db.prepare('delete from shelf where item_id = ? and listing_id is null');
  const unfilled = db.prepare(`select account, item_id, listing_id, private_words from items where private_words <> '[]'
    and not exists (select 1 from shelf where shelf.account = items.account and shelf.item_id = items.item_id)`);
  let writes = 0;
  const change = (row: ShelfRow, changes: ShelfChanges, at: number): ShelfRow => {
    // A value that cannot be read back would make each list with this row unreadable.
    const fields = shelfFields.parse({ ...row.fields, ...omitUndefinedFields(changes) });
    update.run(...toColumns(fields, at), row.shelf_id);
    writes += 1;
    return { ...row, fields, changed_at: at };
  };
  const find = (account: string, { itemId, listingId }: ShelfTarget): ShelfRow | null =>
    (itemId === null ? null : reads.ofItem(account, itemId)) ??
    (listingId === null ? null : reads.ofListing(account, listingId));
  const open = (account: string, target: ShelfTarget, at: number): ShelfRow => {
    const found = find(account, target);
    if (found !== null) return found;
    const { lastInsertRowid } = insert.run(account, target.itemId, target.listingId, ...toColumns(emptyShelf, at));
    return shelfRow.parse(byId.get(lastInsertRowid));
  };
  return {
    ...reads,
    find,
    /** Returns the row of an item or a listing, and adds an empty row if it has no row. */
    open,
    byId: (shelfId: number): ShelfRow | null => shelfRow.optional().parse(byId.get(shelfId)) ?? null,
    change,
    /** Fills the empty fields of an item from an item that is merged into it, and unites the tags of both. */
    merge: (account: string, into: string, from: string, at: number): void => {
      const other = reads.ofItem(account, from);
      if (other === null) return;
      const row = open(account, { itemId: into, listingId: null }, at);
      const filled = Object.entries(row.fields).filter(([, value]) => value !== null);
      const tags = uniteTags(row.fields.tags, other.fields.tags).slice(0, maxTags);
      change(row, { ...other.fields, ...Object.fromEntries(filled), tags }, at);
    },
    /**
     * Copies the place and the origin of an item to a part that is split off. The SKU, the cost and the note stay with
     * the original item, because each of them describes a single thing.
     */
    copyToPart: (account: string, whole: string, part: string, at: number): void => {
      const row = reads.ofItem(account, whole);
      if (row === null) return;
      const { place, boughtAt, boughtFrom, tags } = row.fields;
      change(open(account, { itemId: part, listingId: null }, at), { place, boughtAt, boughtFrom, tags }, at);
    },
    /** Deletes the row of an item that has no listing. */
    forgetItem: (itemId: string): void => void forget.run(itemId),
    /** Returns the items that have private words of a folder's name and no row. */
    unfilled: (): unknown[] => unfilled.all(),
    /** Increases with each write, so that a cached search can be checked. */
    revision: (): number => writes,
    generated: createGeneratedSkus(db),
    edits: createShelfEdits(db),
    atomically: <T>(work: () => T): T => db.transaction(work)(),
  };
};
