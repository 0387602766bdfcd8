import * as z from 'zod';
import { listing as listingShape, type Listing } from '../../contract/index.ts';
import { toCanonicalJson, toRecordOrEmpty } from '../base/json.ts';
import type { Gate } from '../base/gate.ts';
import type { Changed, Clock, ExportPart, Log } from '../base/ports.ts';
import type { Connection } from '../service/connection.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type {
  BulkEdit,
  BulkEditsTable,
  ListingsTable,
  FirstReviewedListing,
  FirstReviewedTable,
} from '../storage/tables/listings/listingsTable.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { person, type Perform } from '../base/request.ts';
import { createProblem, toProblemView } from '../base/problem.ts';
import { isUnknownAtService } from '../service/serviceError.ts';
import {
  type ListingCounts,
  type ListingFilter,
  type ListingRow,
  type ListingSearch,
  createListingSearch,
} from '../storage/tables/listings/listingSearch.ts';
import type { Money } from '../base/shelfFields.ts';
import type { Message } from '../../i18n/message.ts';
import type { Db } from '../storage/database.ts';
import type { PageLinkChecker } from './pageLinks.ts';
import { formatCsvTable, type CsvCell } from '../../text/csv.ts';

const pageRows = 200;
/** A finished sync is not repeated within this time. */
const minRereadMs = 60_000;
/** A sync ends its search for missing listings after it has found this many that still exist. */
const maxHidden = 20;

const pageShape = z.looseObject({ listings: z.array(listingShape), nextCursor: z.string().nullish() });

/** `unattended` means that no caller waits for the read. */
type ReadMode = { unattended?: true };

type SyncContext = {
  clock: Clock;
  ages: StoredAgeTracker;
  pacing: Pacing;
  gate: Gate;
  settings: SettingsTable;
  listings: ListingsTable;
  connection: Connection;
  changed: Changed;
  log: Log;
  perform: Perform;
  pageLinks: Pick<PageLinkChecker, 'learnHosts'>;
  written: FirstReviewedTable;
  forget: (listingId: string) => void;
  hasItem: (listingId: string) => boolean;
};

type Progress = { read: number; problem: string | null; says: Message | undefined };

type SyncRun = { parts: SyncContext; progress: Progress; by: ReadMode; account: string; signal: AbortSignal };

const getSyncSettingName = (account: string): string => `listings read ${account}`;
const readSyncDoneAt = ({ settings, connection }: SyncContext): number | null =>
  settings.read(getSyncSettingName(connection.account()), z.int());
const readSyncAgeMs = (parts: SyncContext): number | null => {
  const doneAt = readSyncDoneAt(parts);
  return doneAt === null ? null : parts.ages.ageMs(getSyncSettingName(parts.connection.account()), doneAt);
};

/** Answers of another account must not affect these listings. */
const requireSameAccount = ({ parts, account }: SyncRun): void => {
  if (parts.connection.account() !== account) throw createProblem('ACCOUNT_CHANGED');
};

/** Also called during background runs, because the problem explains why the list might be outdated. */
const recordSyncFailure = ({ log, changed }: SyncContext, progress: Progress, error: unknown): void => {
  const { sentence: problem, says, code } = toProblemView(error);
  Object.assign(progress, { problem, says });
  log('warn', 'the listings could not all be read', { code });
  changed('listings');
};

/** Background runs retry while the service is down; a run that the person started fails at once. */
const readListingsPage = async ({ parts, progress, by, signal }: SyncRun, cursor: string | null) => {
  const query = { limit: pageRows, ...(cursor === null ? {} : { cursor }) };
  const requestListingsPage = () =>
    parts.perform({ by: person, route: 'listListings', input: { query }, signal, ...by });
  const recordPageFailure = (error: unknown): void => recordSyncFailure(parts, progress, error);
  const outcome = await (by.unattended
    ? parts.pacing.retryWhileDown(requestListingsPage, recordPageFailure)
    : requestListingsPage());
  progress.problem = null;
  return pageShape.parse(outcome.state === 'done' ? outcome.answer : null);
};

const readAllListings = async (reading: SyncRun): Promise<void> => {
  const { ages, clock, pacing, settings, changed, pageLinks, listings: table } = reading.parts;
  const { account } = reading;
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const { listings, nextCursor } = await readListingsPage(reading, cursor);
    requireSameAccount(reading);
    for (const { listingId } of listings) seen.add(listingId);
    reading.progress.read = seen.size;
    cursor = listings.length === 0 ? null : (nextCursor ?? null);
    changed('listings');
    if (cursor !== null) await clock.sleep(pacing.getRandomDelayMs('betweenPages'), reading.signal);
  } while (cursor !== null);
  await readMissingListings(
    reading,
    table.ids(account).filter((listingId) => !seen.has(listingId)),
  );
  requireSameAccount(reading);
  pageLinks.learnHosts();
  forgetDeletedDrafts(reading);
  settings.write(getSyncSettingName(account), clock.now());
  ages.note(getSyncSettingName(account));
};

/** A 404 marks a listing as missing; a later read shows whether the listing is back. */
const readMissingListings = async (reading: SyncRun, unseen: string[]): Promise<void> => {
  const { parts, by, account, signal } = reading;
  const known = new Set(parts.listings.missingIds(account));
  let hidden = 0;
  for (const listingId of unseen.filter((id) => !known.has(id))) {
    if (hidden === maxHidden) break;
    requireSameAccount(reading);
    try {
      const input = { params: { listingId } };
      await parts.perform({ by: person, route: 'readListing', input, signal, ...by });
      hidden += 1;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isUnknownAtService(error)) hidden += 1;
    }
    await parts.clock.sleep(parts.pacing.getRandomDelayMs('betweenPages'), signal);
  }
};

/**
 * Forgets missing drafts. If a listing that went live is missing too, the service was restored to an older state, so
 * nothing is forgotten.
 */
const forgetDeletedDrafts = ({ parts, account }: SyncRun): void => {
  const missing = parts.listings.missingIds(account);
  if (missing.some((listingId) => parts.written.read(account, listingId)?.wentLive)) return;
  for (const listingId of missing) if (!parts.hasItem(listingId)) parts.forget(listingId);
};

/** A failed run is repeated at the next scheduled time. */
const runSyncSchedule = async (
  parts: SyncContext,
  reads: { isOn: () => boolean; go: (by: ReadMode) => Promise<void> },
  atStart: boolean,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, pacing } = parts;
  const readDoneAtMs = (): number | null => {
    const ageMs = readSyncAgeMs(parts);
    return ageMs === null ? null : clock.elapsedMs() - ageMs;
  };
  const atFirst = pacing.listingsDueAt(readDoneAtMs(), atStart);
  for (let dueAt = atFirst; ; dueAt = pacing.listingsDueAt(clock.elapsedMs(), false)) {
    while (dueAt > clock.elapsedMs()) await clock.sleep(dueAt - clock.elapsedMs(), signal);
    await parts.gate.waitWhilePaused(signal);
    if (parts.connection.state() !== 'connected') return;
    const isAlreadyRead = reads.isOn() || (readDoneAtMs() ?? -Infinity) > dueAt;
    if (!isAlreadyRead) await reads.go({ unattended: true });
  }
};

/** Copies all of the person's listings to this computer in the background, every few hours and on request. */
const createListingsSync = (parts: SyncContext) => {
  const { connection, changed } = parts;
  let watching: AbortController | null = null;
  let run: AbortController | null = null;
  const progress: Progress = { read: 0, problem: null, says: undefined };

  const go = async (by: ReadMode): Promise<void> => {
    const own = new AbortController();
    run = own;
    progress.read = 0;
    progress.problem = null;
    try {
      await readAllListings({ parts, progress, by, account: connection.account(), signal: own.signal });
    } catch (error) {
      if (!own.signal.aborted) recordSyncFailure(parts, progress, error);
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
    /** Restarts the schedule. Called when the account might have changed. */
    resume: (atStart: boolean): void => {
      stop();
      watching = new AbortController();
      runSyncSchedule(parts, { isOn: () => run !== null, go }, atStart, watching.signal).catch(() => undefined);
    },
    startNow: (): void => {
      if (connection.state() !== 'connected' || (readSyncAgeMs(parts) ?? Infinity) < minRereadMs) return;
      // A run that is waiting to retry will not report a result soon, so it is replaced.
      if (run !== null && progress.problem === null) return;
      run?.abort();
      void go({});
    },
    stop,
    state: (): ListingCounts['sync'] => ({ running: run !== null, doneAt: readSyncDoneAt(parts), ...progress }),
  };
};

/**
 * These fields change by themselves and do not matter to a buyer. Photo URLs are among them, because one photo can have
 * many URLs.
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

/** Returns all fields of a listing except `unboundFields`; an approval is bound to these fields. */
export const toBoundListing = (listing: Listing): Record<string, unknown> => {
  const plain = toRecordOrEmpty(JSON.parse(toCanonicalJson(listing)));
  return Object.fromEntries(Object.entries(plain).filter(([field]) => !unboundFields.has(field)));
};

type ListingsContext = SyncContext & { db: Db; bulkEdits: BulkEditsTable };

export type ListingsService = ReturnType<typeof createListingsService>;

const formatIsoTime = (at: number): string => new Date(at).toISOString();

const formatMinor = (money: Money | null | undefined): string | null => (money ? (money.minor / 100).toFixed(2) : null);

/** Amounts are in major units of the currency. The last columns are what only the person knows. */
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
  ['listed_at', (row) => formatIsoTime(row.listedAt)],
  ['page', (row) => row.pageUrl],
  ['own_sku', ({ shelf }) => shelf?.sku ?? null],
  ['place', ({ shelf }) => shelf?.place ?? null],
  ['cost', ({ shelf }) => formatMinor(shelf?.cost)],
  ['cost_currency', ({ shelf }) => shelf?.cost?.currency ?? null],
  ['bought_at', ({ shelf }) => shelf?.boughtAt ?? null],
  ['bought_from', ({ shelf }) => shelf?.boughtFrom ?? null],
  ['weight_g', ({ shelf }) => shelf?.package?.weightG ?? null],
  ['tags', ({ shelf }) => shelf?.tags.join(', ') ?? null],
  ['note', ({ shelf }) => shelf?.note ?? null],
  ['postage_paid', ({ shelf }) => formatMinor(shelf?.postagePaid)],
  ['other_costs', ({ shelf }) => formatMinor(shelf?.otherCosts)],
];

const rowsInPart = 200;

/** Exports the listings of an account that match a filter as CSV. */
export const exportListings = function* (db: Db, account: string, filter: ListingFilter): Generator<ExportPart> {
  yield { text: formatCsvTable([columns.map(([name]) => name)]), rows: 0 };
  let waiting: CsvCell[][] = [];
  for (const row of createListingSearch(db, () => account).each(filter)) {
    waiting.push(columns.map(([, value]) => value(row)));
    if (waiting.length < rowsInPart) continue;
    yield { text: formatCsvTable(waiting), rows: waiting.length };
    waiting = [];
  }
  if (waiting.length > 0) yield { text: formatCsvTable(waiting), rows: waiting.length };
};

export type LastBulkEdit = {
  field: string;
  rows: (Pick<BulkEdit['rows'][number], 'body' | 'old'> & { row: ListingRow })[];
};

const findLastBulkEdit = ({ bulkEdits, listings, connection }: ListingsContext, rowsOf: ListingSearch['rows']) => {
  const account = connection.account();
  const last = bulkEdits.last(account);
  if (last === null) return null;
  const { field } = last;
  const getComparableValue = (from: object | null): string => toCanonicalJson(toRecordOrEmpty(from)[field] ?? null);
  const changed = last.rows.filter(
    ({ listingId, old }) => getComparableValue(listings.read(account, listingId)) !== getComparableValue(old),
  );
  const byId = new Map(changed.map((one) => [one.listingId, one]));
  const rows = rowsOf([...byId.keys()]).flatMap((row) => {
    const one = byId.get(row.listingId);
    return one ? { row, body: one.body, old: one.old } : [];
  });
  return rows.length === 0 ? null : { field, rows };
};

/** Searches, counts and syncs the locally stored listings. */
export const createListingsService = (parts: ListingsContext) => {
  const listingSearch = createListingSearch(parts.db, parts.connection.account);
  const sync = createListingsSync(parts);
  const noCounts = { all: 0, missing: 0, statuses: {}, sites: [] };
  const counts = (): ListingCounts => ({
    ...(parts.connection.who() ? listingSearch.counts() : noCounts),
    sync: parts.connection.who() ? sync.state() : { running: false, read: 0, doneAt: null, problem: null },
  });
  const isUnknown = (listingId: string): boolean =>
    parts.listings.missingIds(parts.connection.account()).includes(listingId);
  return {
    search: listingSearch.search,
    rows: listingSearch.rows,
    readStored: (listingId: string): Listing | null => parts.listings.read(parts.connection.account(), listingId),
    /** Returns the first generated version and whether the listing went live; null if neither is known. */
    written: (listingId: string): FirstReviewedListing | null =>
      parts.written.read(parts.connection.account(), listingId),
    /** Returns whether the service did not know the listing when it was last read. */
    isUnknown,
    /** Removes a listing that the service does not know and that has no local item. Otherwise throws TOO_LATE. */
    forgetUnknown: (listingId: string): void => {
      if (!isUnknown(listingId) || parts.hasItem(listingId)) throw createProblem('TOO_LATE.listing');
      parts.forget(listingId);
    },
    counts,
    askingValue: listingSearch.askingValue,
    /** Stores a bulk edit before it is sent, so that it can be reverted. */
    keepBulkEdit: (editId: string, edit: BulkEdit): void => {
      parts.bulkEdits.keep(parts.connection.account(), editId, edit);
      parts.changed('listings');
    },
    /** Returns the part of the last bulk edit that can be reverted, or null. */
    lastBulkEdit: (): LastBulkEdit | null => findLastBulkEdit(parts, listingSearch.rows),
    forgetBulkEdits: (): void => {
      parts.bulkEdits.forget(parts.connection.account());
      parts.changed('listings');
    },
    /** Starts a sync unless one finished within the last minute. */
    readAgain: (): ListingCounts => {
      sync.startNow();
      return counts();
    },
    resume: sync.resume,
    stop: sync.stop,
  };
};
