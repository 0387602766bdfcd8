import * as z from 'zod';
import { type Db, createJsonColumn, prepareStatement, textValues } from '../database.ts';
import { isAtService } from './photos/photosTable.ts';
import { shelfColumn } from './shelfTable.ts';
import { itemErrorShape, arrangeableSteps, sections, steps, storedReviewReasons, type Section } from './itemRecord.ts';

/** `open`: not live. `ready`: publishable. `pickable`: publishable or arrangeable. */
export type ItemKindFilter = 'all' | 'open' | 'ready' | 'checked' | 'arrangeable' | 'pickable' | 'review';
/** `within` limits the items to search results. */
export type ItemQuery = { account: string; only: ItemKindFilter; within: readonly string[] | null };

const isArrangeableStep = `step in (${arrangeableSteps.map((step) => `'${step}'`).join(', ')})`;
const arrangeable = `(${isArrangeableStep} and not ${isAtService('items.item_id')})`;
const ready = "(step = 'review' and stop is null and listing_id is not null)";
/** Matches the items that are on the contact sheet. */
const isInGrouping = "review_reason not in ('reviewed', 'replacingPhotos')";
const delaysGrouping = "step = 'photos' and stop is null and review_reason = 'grouped'";
const isDuplicate = "review_reason = 'liveDuplicate'";
/** Returns the section with the stored number. */
export const getSectionByRank = (fromLast: number): Section => sections[sections.length - 1 - fromLast] ?? 'live';
/** Returns the stored number of a section; the last section has the number 0. */
export const getSectionRank = (section: Section): number => sections.length - 1 - sections.indexOf(section);
const isOpen = `section > ${getSectionRank('live')}`;
/** Most items are live. With `isOpen`, SQLite reads only the other items by their index. */
const conditions: Readonly<Record<ItemKindFilter, string>> = {
  all: 'true',
  open: isOpen,
  ready: `(${isOpen} and ${ready})`,
  checked: `(${isOpen} and ${ready} and checked_at is not null)`,
  arrangeable: `(${isOpen} and ${arrangeable})`,
  pickable: `(${isOpen} and (${ready} or ${arrangeable}))`,
  review: `(${isOpen} and step = 'review' and stop is null and checked_at is null)`,
};

const summaryRow = z.object({
  item_id: z.string(),
  name: z.string(),
  step: z.enum(steps),
  stop: createJsonColumn(itemErrorShape).nullable(),
  review_reason: z.enum(storedReviewReasons).nullable(),
  listing_id: z.string().nullable(),
  writing_since: z.int().nullable(),
  title: z.string().nullable(),
  photos: z.int(),
  prepared: z.int(),
  going: z.int(),
  uploaded: z.int(),
  arrangeable: z.int(),
  checked_at: z.int().nullable(),
  section: z.int().transform(getSectionByRank),
  created_at: z.int(),
  price_cents: z.int().nullable(),
  site: z.string().nullable(),
  warned: z.int(),
  blockers: z.int().nullable(),
  thumb_id: z.string().nullable(),
  thumb_sha: z.string().nullable(),
  shelf: shelfColumn,
});
export type SummaryRow = z.infer<typeof summaryRow>;

/** The sort key of an item in the list. `section` is the stored number. */
const place = z.object({ section: z.int(), created_at: z.int(), rowid: z.int() });
const searchRow = z.object({
  item_id: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  step: z.enum(steps),
  stop_kind: z.string().nullable(),
  stop_code: z.string().nullable(),
  ...place.shape,
  words: z.string().nullable(),
});
export type SearchRow = z.infer<typeof searchRow>;
const counted = z.object({
  all: z.int(),
  toCheck: z.int(),
  publishable: z.int(),
  deferred: z.int(),
  duplicates: z.int(),
});
const sectionCounts = z.array(z.object({ section: z.int().transform(getSectionByRank), count: z.int() }));
const chosenRow = z.object({
  item_id: z.string(),
  listing_id: z.string().nullable(),
  review_reason: z.enum(storedReviewReasons).nullable(),
  ready: z.int(),
  arrangeable: z.int(),
});
const sheetItemRow = z.object({
  ...summaryRow.pick({ item_id: true, name: true, step: true, review_reason: true }).shape,
  drop_id: z.string().nullable(),
  is_stopped: z.int(),
});
/** What the contact sheet shows of an item. */
export type SheetItemRow = z.infer<typeof sheetItemRow>;
const sheetItemRows = z.array(sheetItemRow);
const summaryRows = z.array(summaryRow);
const chosenRows = z.array(chosenRow);
const searchRows = z.array(searchRow);

const newestFirst = 'order by created_at desc, rowid desc';
const downTheList = 'order by section desc, created_at desc, rowid desc';
const upTheList = 'order by section, created_at, rowid';
const placed = '(section, created_at, rowid)';
const named = 'item_id in (select value from json_each(?))';
/** The plus sign keeps SQLite from reading all items of the account, so it reads only the named items. */
const ownNamed = `+items.account = ? and items.${named}`;

const summaries = `select items.item_id, items.name, step, stop, review_reason, items.listing_id, writing_since,
    nullif(k.title, '') as title, count(p.photo_id) as photos, count(p.state <> 'waiting' or null) as prepared,
    count(p.state = 'ready' or null) as going,
    count((p.state = 'ready' and p.uploaded_at is not null) or null) as uploaded,
    count((p.state = 'ready' and p.warnings <> '[]') or null) as warned,
    case when step = 'review' then (select json_array_length(l.json, '$.publishBlockers') from listings l
      where l.account = items.account and l.listing_id = items.listing_id) end as blockers,
    k.price_cents, k.site, checked_at, section, items.created_at,
    ${arrangeable} as arrangeable, t.photo_id as thumb_id, t.sha256 as thumb_sha, s.fields as shelf
  from items
    left join shelf s on s.account = items.account and s.item_id = items.item_id
    left join listing_keys k on k.account = items.account and k.listing_id = items.listing_id
    left join photos p on p.item_id = items.item_id and p.removed_at is null
    left join photos t on t.photo_id = (select photo_id from photos
      where photos.item_id = items.item_id and removed_at is null and thumb_path is not null
        and photos.state in ('ready', 'waiting') order by position limit 1)
  where ${ownNamed} group by items.item_id`;

const searched = `select items.item_id, name, title, step, stop ->> '$.kind' as stop_kind,
    stop ->> '$.code' as stop_code, section, created_at, items.rowid, s.words
  from items left join listing_keys using (account, listing_id)
    left join shelf s on s.account = items.account and s.item_id = items.item_id`;

const createIdReader =
  (db: Db) =>
  (sql: string, ...values: (string | number)[]): string[] =>
    textValues.parse(
      prepareStatement(db, sql)
        .pluck()
        .all(...values),
    );

/** Reading more items one by one takes longer than reading all items of the account. */
const maxNamedReads = 500;

const buildItemFilter = ({ account, only, within }: ItemQuery) => {
  if (within === null) return { sql: `from items where account = ? and ${conditions[only]}`, values: [account] };
  const matches =
    within.length > maxNamedReads
      ? `account = ? and ${conditions[only]} and ${named}`
      : `${ownNamed} and ${conditions[only]}`;
  return { sql: `from items where ${matches}`, values: [account, JSON.stringify(within)] };
};

type Place = z.infer<typeof place>;
const toSortKey = ({ section: part, created_at, rowid }: Place): number[] => [part, created_at, rowid];
/** Returns a negative number if the first item is above the second one in the list. */
export const compareInList = (one: Place, other: Place): number =>
  other.section - one.section || other.created_at - one.created_at || other.rowid - one.rowid;

const createListQueries = (db: Db) => {
  const read = createIdReader(db);
  /** Returns the sort key of an item; null if the list excludes the item. */
  const findItemPlace = (wanted: ItemQuery, itemId: string): Place | null => {
    const { sql, values } = buildItemFilter(wanted);
    const found = prepareStatement(db, `select section, created_at, rowid ${sql} and item_id = ?`).get(
      ...values,
      itemId,
    );
    return found === undefined ? null : place.parse(found);
  };
  return {
    count: (wanted: ItemQuery): number => {
      const { sql, values } = buildItemFilter(wanted);
      const counted = prepareStatement(db, `select count(*) ${sql}`).pluck();
      return z.int().parse(counted.get(...values));
    },
    sections: (wanted: ItemQuery): Record<Section, number> => {
      const { sql, values } = buildItemFilter(wanted);
      const rows = prepareStatement(db, `select section, count(*) as count ${sql} group by 1`).all(...values);
      const found = new Map(sectionCounts.parse(rows).map((row) => [row.section, row.count]));
      const getSectionCount = (one: Section): number => found.get(one) ?? 0;
      return {
        toCheck: getSectionCount('toCheck'),
        working: getSectionCount('working'),
        ready: getSectionCount('ready'),
        live: getSectionCount('live'),
      };
    },
    ids: (wanted: ItemQuery, offset: number, limit: number): string[] => {
      const { sql, values } = buildItemFilter(wanted);
      return read(`select item_id ${sql} ${downTheList} limit ? offset ?`, ...values, limit, offset);
    },
    /** Returns the next (1) or previous (-1) item. If `from` is null, returns the first or last item. */
    beside: (wanted: ItemQuery, from: { itemId: string; of: ItemQuery } | null, by: 1 | -1): string | null => {
      const { sql, values } = buildItemFilter(wanted);
      const at = from && findItemPlace(from.of, from.itemId);
      const order = by === 1 ? downTheList : upTheList;
      const beyond = at === null ? '' : `and ${placed} ${by === 1 ? '<' : '>'} (?, ?, ?)`;
      const border = at === null ? [] : toSortKey(at);
      return read(`select item_id ${sql} ${beyond} ${order} limit 1`, ...values, ...border)[0] ?? null;
    },
    /** Returns the items from `one` to `other`, both included; null if the list excludes one of them. */
    between: (wanted: ItemQuery, one: string, other: string): string[] | null => {
      const [a, b] = [findItemPlace(wanted, one), findItemPlace(wanted, other)];
      if (a === null || b === null) return null;
      const [low, high] = compareInList(a, b) < 0 ? [b, a] : [a, b];
      const { sql, values } = buildItemFilter(wanted);
      const range = `and ${placed} >= (?, ?, ?) and ${placed} <= (?, ?, ?)`;
      return read(`select item_id ${sql} ${range} ${downTheList}`, ...values, ...toSortKey(low), ...toSortKey(high));
    },
    /** Returns the number of items before this item; null if the list excludes the item. */
    placeIn: (wanted: ItemQuery, itemId: string): number | null => {
      const at = findItemPlace(wanted, itemId);
      if (at === null) return null;
      const { sql, values } = buildItemFilter(wanted);
      const before = prepareStatement(db, `select count(*) ${sql} and ${placed} > (?, ?, ?)`).pluck();
      return z.int().parse(before.get(...values, ...toSortKey(at)));
    },
  };
};

const createSummaryQueries = (db: Db) => ({
  /** Keeps the order of the ids and omits unknown items. */
  summaries: (account: string, itemIds: readonly string[]): SummaryRow[] => {
    const rows = summaryRows.parse(prepareStatement(db, summaries).all(account, JSON.stringify(itemIds)));
    const byId = new Map(rows.map((row) => [row.item_id, row]));
    return itemIds.flatMap((itemId) => byId.get(itemId) ?? []);
  },
  /** Returns which actions are possible for these items. */
  chosen: (account: string, itemIds: readonly string[]): z.infer<typeof chosenRow>[] =>
    chosenRows.parse(
      prepareStatement(
        db,
        `select item_id, listing_id, review_reason, ${ready} as ready, ${arrangeable} as arrangeable
           from items where ${ownNamed} ${newestFirst}`,
      ).all(account, JSON.stringify(itemIds)),
    ),
  /** Returns the next items after a row, newest first. If `after` is null, starts with the newest item. */
  searched: (account: string, after: SearchRow | null, limit: number): SearchRow[] =>
    searchRows.parse(
      prepareStatement(
        db,
        `${searched} where items.account = ? and (created_at, items.rowid) < (?, ?)
           order by created_at desc, items.rowid desc limit ?`,
      ).all(account, after?.created_at ?? Number.MAX_SAFE_INTEGER, after?.rowid ?? 0, limit),
    ),
  searchedAmong: (account: string, itemIds: readonly string[]): SearchRow[] =>
    searchRows.parse(prepareStatement(db, `${searched} where ${ownNamed}`).all(account, JSON.stringify(itemIds))),
  /** Returns the deferred items whose step still allows that their photos are arranged. It reads only these steps. */
  onSheet: (account: string): SheetItemRow[] =>
    sheetItemRows.parse(
      prepareStatement(
        db,
        `select item_id, name, step, review_reason, drop_id, stop is not null as is_stopped from items
           where account = ? and ${isInGrouping} and ${isArrangeableStep} order by +created_at desc, rowid desc`,
      ).all(account),
    ),
  /** Returns whether more than this number of items are live. It reads at most one more. */
  areMoreLive: (account: string, than: number): boolean =>
    prepareStatement(
      db,
      `select 1 from items where account = ? and section = ${getSectionRank('live')} limit 1 offset ?`,
    ).get(account, than) !== undefined,
  counts: (account: string): z.infer<typeof counted> =>
    counted.parse(
      prepareStatement(
        db,
        `with own as (select * from items where account = ?)
           select (select count(*) from own) as "all",
             (select count(*) from own where section = ${getSectionRank('toCheck')}) as toCheck,
             (select count(*) from own where ${conditions.ready}) as publishable,
             count(*) as deferred, count(${isDuplicate} or null) as duplicates
           from own where ${isInGrouping} and stop is null`,
      ).get(account),
    ),
});

const createKindQueries = (db: Db) => {
  const read = createIdReader(db);
  return {
    /**
     * Returns the items in these steps: first those that are being generated, then the others in the order in which they
     * were added.
     */
    underWay: (account: string, running: readonly string[]): string[] =>
      read(
        `select item_id from items where account = ? and stop is null and step in (select value from json_each(?))
         order by step = 'writing' desc, created_at, rowid desc`,
        account,
        JSON.stringify(running),
      ),
    /** Returns the items that stopped because no account was connected. */
    unconnected: (account: string): string[] =>
      read(
        `select item_id from items where account = ? and stop is not null
           and exists (select 1 from json_each(stop, '$.next') where value = 'connect') ${newestFirst}`,
        account,
      ),
    stoppedWith: (account: string, code: string): string[] =>
      read(
        `select item_id from items where account = ? and stop is not null and stop ->> '$.code' = ? order by created_at, rowid`,
        account,
        code,
      ),
    /** Returns the deferred items, except those whose photos are being replaced. */
    deferred: (account: string): string[] =>
      read(`select item_id from items where account = ? and ${isInGrouping} ${newestFirst}`, account),
    /** Returns whether the photos of all these items can still be arranged. Removed items do not count. */
    areArrangeable: (itemIds: readonly string[]): boolean =>
      read(`select item_id from items where ${named} and not ${arrangeable} limit 1`, JSON.stringify(itemIds))
        .length === 0,
    /** Returns the drops whose photos are prepared and not grouped yet. */
    preparedDrops: (account: string): string[] =>
      read(
        `select distinct drop_id from items as one where account = ? and drop_id is not null
           and review_reason = 'grouped' and step = 'arranging' and stop is null and not exists
           (select 1 from items where drop_id = one.drop_id and ${delaysGrouping})`,
        account,
      ),
    isDropPrepared: (dropId: string): boolean =>
      read(`select item_id from items where drop_id = ? and ${delaysGrouping} limit 1`, dropId).length === 0,
    ofDrop: (dropId: string): string[] => read(`select item_id from items where drop_id = ?`, dropId),
    /**
     * Returns the deferred items that start together. An item that looks like a live listing is left out, because the
     * person must answer for it alone.
     */
    startable: (account: string): string[] =>
      read(
        `select item_id from items where account = ? and ${isInGrouping} and not (${isDuplicate}) ${newestFirst}`,
        account,
      ),
    /** Returns the item names that start with this text. */
    namesLike: (account: string, words: string): string[] =>
      read(`select name from items where account = ? and substr(name, 1, length(?)) = ?`, account, words, words),
    /** Returns whether an item with these private words, as JSON, does not wait for the person because of them. */
    hasStartedWith: (account: string, privateWords: string): boolean =>
      read(
        `select item_id from items where account = ? and private_words = ?
           and review_reason is not 'privateWords' limit 1`,
        account,
        privateWords,
      ).length > 0,
    ofAssistant: (account: string, assistantId: string): string[] =>
      read(
        `select item_id from items where account = ? and by ->> '$.kind' = 'assistant'
           and by ->> '$.assistantId' = ? ${newestFirst}`,
        account,
        assistantId,
      ),
  };
};

export type ItemQueries = ReturnType<typeof createListQueries> &
  ReturnType<typeof createSummaryQueries> &
  ReturnType<typeof createKindQueries>;

/** Creates the queries over many items. */
export const createItemQueries = (db: Db): ItemQueries => ({
  ...createListQueries(db),
  ...createSummaryQueries(db),
  ...createKindQueries(db),
});
