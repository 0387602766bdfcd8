import * as z from 'zod';
import { listing as listingShape, type Listing } from '../../contract/index.ts';
import { canonical, recordOf } from '../base/json.ts';
import type { Gate } from '../base/gate.ts';
import type { Changed, Clock, Log } from '../base/ports.ts';
import type { Connection } from '../service/connection.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type {
  BulkEdit,
  BulkEditsTable,
  ListingsTable,
  Written,
  WrittenTable,
} from '../storage/tables/listingsTable.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { person, type Perform } from '../base/request.ts';
import { problem, problemView } from '../base/problem.ts';
import { isUnknownAtService } from '../service/serviceError.ts';
import {
  type ListingCounts,
  type ListingFilter,
  type ListingRow,
  type ListingSearch,
  createListingSearch,
} from '../storage/tables/listingSearch.ts';
import type { Message } from '../../i18n/message.ts';
import type { Db } from '../storage/database.ts';
import type { PageLinks } from './pageLinks.ts';
import { csv } from '../../text/csv.ts';

const pageRows = 200;
/** A person who presses "Read again" twice means it once. */
const notSoonerMs = 60_000;
/** Listings that were on no page and are at the service all the same: after these, the others wait for the next time. */
const maxHidden = 20;

const page = z.looseObject({ listings: z.array(listingShape), nextCursor: z.string().nullish() });

/** Whether nobody waits for it. */
type Reader = { unattended?: true };

/** What reading all listings works with. */
type SyncContext = {
  clock: Clock;
  ages: StoredAges;
  pacing: Pacing;
  gate: Gate;
  settings: SettingsTable;
  listings: ListingsTable;
  connection: Connection;
  changed: Changed;
  log: Log;
  perform: Perform;
  pageLinks: Pick<PageLinks, 'learnHosts'>;
  written: WrittenTable;
  /** Forgets a listing that was deleted at the service. */
  forget: (listingId: string) => void;
  /** Whether an item here led to the listing. */
  hasItem: (listingId: string) => boolean;
};

/** What is shown of a reading of all listings: how far it is, and what is wrong with it. */
type Progress = { read: number; problem: string | null; says: Message | undefined };

/** What a reading of all listings shares with whoever started it; `account` is whose listings are read. */
type Reading = { parts: SyncContext; progress: Progress; by: Reader; account: string; signal: AbortSignal };

const markOf = (account: string): string => `listings read ${account}`;
const doneAtOf = ({ settings, connection }: SyncContext): number | null =>
  settings.read(markOf(connection.account()), z.int());
const doneAgoMs = (parts: SyncContext): number | null => {
  const doneAt = doneAtOf(parts);
  return doneAt === null ? null : parts.ages.ageMs(markOf(parts.connection.account()), doneAt);
};

/** What is read as somebody else says nothing of this person's listings. */
const checkAccount = ({ parts, account }: Reading): void => {
  if (parts.connection.account() !== account) throw problem('ACCOUNT_CHANGED');
};

/** Told while it goes on by itself, too: what is shown may be older than it seems. */
const failed = ({ log, changed }: SyncContext, progress: Progress, error: unknown): void => {
  const { sentence: problem, says, code } = problemView(error);
  Object.assign(progress, { problem, says });
  log('warn', 'the listings could not all be read', { code });
  changed('listings');
};

/** A person who waits is told of a fault; else it is waited for. */
const readPage = async ({ parts, progress, by, signal }: Reading, cursor: string | null) => {
  const query = { limit: pageRows, ...(cursor === null ? {} : { cursor }) };
  const read = () => parts.perform({ by: person, route: 'listListings', input: { query }, signal, ...by });
  const tell = (error: unknown): void => failed(parts, progress, error);
  const outcome = await (by.unattended ? parts.pacing.persist(read, tell) : read());
  progress.problem = null;
  return page.parse(outcome.state === 'done' ? outcome.answer : null);
};

const readAll = async (reading: Reading): Promise<void> => {
  const { ages, clock, pacing, settings, changed, pageLinks, listings: table } = reading.parts;
  const { account } = reading;
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const { listings, nextCursor } = await readPage(reading, cursor);
    checkAccount(reading);
    for (const { listingId } of listings) seen.add(listingId);
    reading.progress.read = seen.size;
    cursor = listings.length === 0 ? null : (nextCursor ?? null);
    changed('listings');
    if (cursor !== null) await clock.sleep(pacing.draw('betweenPages'), reading.signal);
  } while (cursor !== null);
  await lookForMissing(
    reading,
    table.ids(account).filter((listingId) => !seen.has(listingId)),
  );
  checkAccount(reading);
  pageLinks.learnHosts();
  forgetDeleted(reading);
  settings.write(markOf(account), clock.now());
  ages.note(markOf(account));
};

/**
 * A listing that no page had may be hidden, or unknown to the service: it is read by itself, which notes what the service
 * does not know. Those that are noted already come back with a page, or when they are opened.
 */
const lookForMissing = async (reading: Reading, unseen: string[]): Promise<void> => {
  const { parts, by, account, signal } = reading;
  const known = new Set(parts.listings.missingIds(account));
  let hidden = 0;
  for (const listingId of unseen.filter((id) => !known.has(id))) {
    if (hidden === maxHidden) break;
    checkAccount(reading);
    try {
      const input = { params: { listingId } };
      await parts.perform({ by: person, route: 'readListing', input, signal, ...by });
      hidden += 1;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isUnknownAtService(error)) hidden += 1;
    }
    await parts.clock.sleep(parts.pacing.draw('betweenPages'), signal);
  }
};

/**
 * Forgets drafts that were deleted elsewhere and have no item here. A listing that went live is never deleted: where the
 * service does not know one, it went back to an older copy of its data, and everything stays here.
 */
const forgetDeleted = ({ parts, account }: Reading): void => {
  const missing = parts.listings.missingIds(account);
  if (missing.some((listingId) => parts.written.read(account, listingId)?.wentLive)) return;
  for (const listingId of missing) if (!parts.hasItem(listingId)) parts.forget(listingId);
};

/** Has `go` read them whenever that is due. One that failed for good is made again when the next one would be. */
const watch = async (
  parts: SyncContext,
  reads: { isOn: () => boolean; go: (by: Reader) => Promise<void> },
  atStart: boolean,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, pacing } = parts;
  const doneAtMs = (): number | null => {
    const ageMs = doneAgoMs(parts);
    return ageMs === null ? null : clock.elapsedMs() - ageMs;
  };
  const atFirst = pacing.listingsDueAt(doneAtMs(), atStart);
  for (let dueAt = atFirst; ; dueAt = pacing.listingsDueAt(clock.elapsedMs(), false)) {
    while (dueAt > clock.elapsedMs()) await clock.sleep(dueAt - clock.elapsedMs(), signal);
    await parts.gate.pass(signal);
    if (parts.connection.state() !== 'connected') return;
    const late = reads.isOn() || (doneAtMs() ?? -Infinity) > dueAt;
    if (!late) await reads.go({ unattended: true });
  }
};

/**
 * Reads all pages of the person's listings in the background, one after the other, into the copy on this machine: every
 * few hours, as changes come with what is done here, and when the person wants it.
 */
const createListingsSync = (parts: SyncContext) => {
  const { connection, changed } = parts;
  let watching: AbortController | null = null;
  let run: AbortController | null = null;
  const progress: Progress = { read: 0, problem: null, says: undefined };

  const go = async (by: Reader): Promise<void> => {
    const own = new AbortController();
    run = own;
    progress.read = 0;
    progress.problem = null;
    try {
      await readAll({ parts, progress, by, account: connection.account(), signal: own.signal });
    } catch (error) {
      if (!own.signal.aborted) failed(parts, progress, error);
    } finally {
      if (run === own) run = null;
      changed('listings');
    }
  };

  const stop = (): void => {
    watching?.abort();
    run?.abort();
    run = null;
  };

  return {
    /** At a start or after connecting: from then on by itself, until `stop`. Another person may be connected by then. */
    resume: (atStart: boolean): void => {
      stop();
      watching = new AbortController();
      watch(parts, { isOn: () => run !== null, go }, atStart, watching.signal).catch(() => undefined);
    },
    /** The person wants everything read again. */
    again: (): void => {
      if (connection.state() !== 'connected' || (doneAgoMs(parts) ?? Infinity) < notSoonerMs) return;
      // One that waits for the service tells nobody how it is.
      if (run !== null && progress.problem === null) return;
      run?.abort();
      void go({});
    },
    stop,
    state: (): ListingCounts['sync'] => ({ running: run !== null, doneAt: doneAtOf(parts), ...progress }),
  };
};

/**
 * Fields of a listing that carry no meaning to a buyer and change by themselves, and the addresses of its photos: the same
 * photo is found at many.
 */
const unboundFields: ReadonlySet<string> = new Set([
  'updatedAt',
  'suggestedPrice',
  'processingError',
  'processingErrorCode',
  'publishBlockers',
  'soldQuantity',
  'imageUrls',
]);

/** A listing as the person's word on it is bound to it: every field of the service, less those that carry no meaning. */
export const boundListing = (listing: Listing): Record<string, unknown> => {
  const plain = recordOf(JSON.parse(canonical(listing)));
  return Object.fromEntries(Object.entries(plain).filter(([field]) => !unboundFields.has(field)));
};

type ListingsContext = SyncContext & { db: Db; bulkEdits: BulkEditsTable };

export type Listings = ReturnType<typeof createListings>;

const time = (at: number): string => new Date(at).toISOString();

/** The columns of the file, in its order; prices in units of the currency beside them. */
const columns: readonly (readonly [string, (row: ListingRow) => string | number | null])[] = [
  ['listing_id', (row) => row.listingId],
  ['title', (row) => row.title],
  ['status', (row) => row.status],
  ['site', (row) => row.site],
  ['price', (row) => (row.priceCents === null ? null : (row.priceCents / 100).toFixed(2))],
  ['currency', (row) => row.currency],
  ['quantity', (row) => row.quantity],
  ['condition', (row) => row.condition],
  ['category', (row) => row.categoryName],
  ['sku', (row) => row.sku],
  ['listed_at', (row) => time(row.listedAt)],
  ['page', (row) => row.pageUrl],
];

const tableOf = (rows: Iterable<ListingRow>): string =>
  csv([columns.map(([name]) => name), ...Array.from(rows, (row) => columns.map(([, value]) => value(row)))]);

/** What was changed of many listings at once, a row each as the listing is now. */
export type LastBulkEdit = {
  field: string;
  rows: (Pick<BulkEdit['rows'][number], 'body' | 'old'> & { row: ListingRow })[];
};

/** What was last changed of many, without what stands as before: that was not changed, or is back already. */
const lastBulkEdit = ({ bulkEdits, listings, connection }: ListingsContext, rowsOf: ListingSearch['rows']) => {
  const account = connection.account();
  const last = bulkEdits.last(account);
  if (last === null) return null;
  const { field } = last;
  const valueOf = (from: object | null): string => canonical(recordOf(from)[field] ?? null);
  const changed = last.rows.filter(({ listingId, old }) => valueOf(listings.read(account, listingId)) !== valueOf(old));
  const byId = new Map(changed.map((one) => [one.listingId, one]));
  const rows = rowsOf([...byId.keys()]).flatMap((row) => {
    const one = byId.get(row.listingId);
    return one ? { row, body: one.body, old: one.old } : [];
  });
  return rows.length === 0 ? null : { field, rows };
};

/** All listings of the person as this machine has them: found at once, counted, taken out, and read again. */
export const createListings = (parts: ListingsContext) => {
  const found = createListingSearch(parts.db, parts.connection.account);
  const sync = createListingsSync(parts);
  const none = { all: 0, missing: 0, statuses: {}, sites: [] };
  const counts = (): ListingCounts => ({
    ...(parts.connection.who() ? found.counts() : none),
    sync: parts.connection.who() ? sync.state() : { running: false, read: 0, doneAt: null, problem: null },
  });
  const isUnknown = (listingId: string): boolean =>
    parts.listings.missingIds(parts.connection.account()).includes(listingId);
  return {
    search: found.search,
    /** As it was last read, wherever that was; null for one that was not. */
    kept: (listingId: string): Listing | null => parts.listings.read(parts.connection.account(), listingId),
    /** How it was when it first came to be reviewed, and whether it went live since; null for one that did neither. */
    written: (listingId: string): Written | null => parts.written.read(parts.connection.account(), listingId),
    /** Whether the service did not know it when it was last asked for it. */
    isUnknown,
    /**
     * Forgets a listing that the service does not know and that no item here led to; both are checked, as either may have
     * changed since it was shown. Throws TOO_LATE.
     */
    forgetUnknown: (listingId: string): void => {
      if (!isUnknown(listingId) || parts.hasItem(listingId)) throw problem('TOO_LATE.listing');
      parts.forget(listingId);
    },
    counts,
    /** Keeps what is changed of many before it is sent, and what was once that is known; nothing where that is nothing. */
    keepBulkEdit: (editId: string, edit: BulkEdit): void => {
      parts.bulkEdits.keep(parts.connection.account(), editId, edit);
      parts.changed('listings');
    },
    /** What can be put back of what was last changed of many; null where nothing can. */
    lastBulkEdit: (): LastBulkEdit | null => lastBulkEdit(parts, found.rows),
    /** The person wants nothing of it put back. */
    forgetBulkEdits: (): void => {
      parts.bulkEdits.forget(parts.connection.account());
      parts.changed('listings');
    },
    /** Reads all again at the service, unless that has just been done. */
    again: (): ListingCounts => {
      sync.again();
      return counts();
    },
    export: (filter: ListingFilter) => ({
      name: 'listings.csv',
      type: 'text/csv',
      text: tableOf(parts.connection.who() ? found.each(filter) : []),
    }),
    resume: sync.resume,
    stop: sync.stop,
  };
};
