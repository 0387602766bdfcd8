import * as z from 'zod';
import { listing as listingShape } from '../../contract/index.ts';
import type { Gate } from '../base/gate.ts';
import type { Changed, Clock, Log } from '../base/ports.ts';
import type { Connection } from '../service/connection.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import type { Perform } from '../base/request.ts';
import { problemView } from '../base/problem.ts';
import type { ListingCounts } from '../storage/tables/listingRow.ts';
import type { Asker } from '../base/asker.ts';
import type { Message } from '../../i18n/message.ts';

const pageRows = 200;
/** A person who presses "Read again" twice means it once. */
const notSoonerMs = 60_000;
/** Listings that were not on any page are looked at one by one; more than these wait for the next time. */
const mostGone = 20;

const person: Asker = { kind: 'person' };
const page = z.looseObject({ listings: z.array(listingShape), nextCursor: z.string().nullish() });

/** Whether nobody waits for it. */
type Reader = { unattended?: true };

/** What reading all listings works with. */
export type SyncContext = {
  clock: Clock;
  pacing: Pacing;
  gate: Gate;
  settings: SettingsTable;
  listings: ListingsTable;
  connection: Connection;
  changed: Changed;
  log: Log;
  perform: Perform;
  /** Forgets a listing that is gone at the service. */
  forget: (listingId: string) => void;
};

/**
 * Reads all pages of the person's listings in the background, one after the other, into the copy on this machine: every
 * few hours, as changes come with what is done here, and when the person wants it.
 */
export const createListingsSync = (parts: SyncContext) => {
  const { clock, settings, connection, changed, pacing, gate } = parts;
  let watching: AbortController | null = null;
  let run: AbortController | null = null;
  let read = 0;
  let problem: string | null = null;
  let says: Message | undefined;
  const mark = (): string => `listings read ${connection.account()}`;
  const doneAt = (): number | null => settings.read(mark(), z.int());

  /** Told while it goes on by itself, too: what is shown may be older than it seems. */
  const failed = (error: unknown): void => {
    const view = problemView(error);
    ({ sentence: problem, says } = view);
    parts.log('warn', 'the listings could not all be read', { code: view.code });
    changed('listings');
  };

  /** A person who waits is told of a fault; else it is waited for. */
  const readPage = async (cursor: string | null, by: Reader, signal: AbortSignal) => {
    const query = { limit: pageRows, ...(cursor === null ? {} : { cursor }) };
    const read = () => parts.perform({ by: person, route: 'listListings', input: { query }, signal, ...by });
    const outcome = await (by.unattended ? pacing.persist(read, failed) : read());
    problem = null;
    return page.parse(outcome.state === 'done' ? outcome.answer : null);
  };

  const readAll = async (by: Reader, signal: AbortSignal): Promise<void> => {
    const account = connection.account();
    const seen = new Set<string>();
    let cursor: string | null = null;
    do {
      const { listings, nextCursor } = await readPage(cursor, by, signal);
      for (const { listingId } of listings) seen.add(listingId);
      read = seen.size;
      cursor = listings.length === 0 ? null : (nextCursor ?? null);
      changed('listings');
      if (cursor !== null) await clock.sleep(pacing.draw('betweenPages'), signal);
    } while (cursor !== null);
    await lookForGone(
      parts.listings.ids(account).filter((listingId) => !seen.has(listingId)),
      by,
      signal,
    );
    settings.write(mark(), clock.now());
  };

  /** A listing that no page had may be hidden, or gone: only the service's own "not found" takes it away here. */
  const lookForGone = async (listingIds: string[], by: Reader, signal: AbortSignal): Promise<void> => {
    for (const listingId of listingIds.slice(0, mostGone)) {
      try {
        const input = { params: { listingId } };
        await parts.perform({ by: person, route: 'readListing', input, signal, ...by });
      } catch (error) {
        if (signal.aborted) throw error;
        if (isNotFound(error)) parts.forget(listingId);
      }
      await clock.sleep(pacing.draw('betweenPages'), signal);
    }
  };

  const go = async (by: Reader): Promise<void> => {
    const own = new AbortController();
    run = own;
    read = 0;
    problem = null;
    try {
      await readAll(by, own.signal);
    } catch (error) {
      if (!own.signal.aborted) failed(error);
    } finally {
      if (run === own) run = null;
      changed('listings');
    }
  };

  /** Reads them whenever that is due. One that failed for good is made again when the next one would be. */
  const watch = async (atStart: boolean, signal: AbortSignal): Promise<void> => {
    for (let dueAt = pacing.listingsDueAt(doneAt(), atStart); ; dueAt = pacing.listingsDueAt(clock.now(), false)) {
      while (dueAt > clock.now()) await clock.sleep(dueAt - clock.now(), signal);
      await gate.pass(signal);
      if (connection.state() !== 'connected') return;
      const late = run !== null || (doneAt() ?? 0) > dueAt;
      if (!late) await go({ unattended: true });
    }
  };

  return {
    /** At a start or after connecting: from then on by itself, until `stop`. */
    takeUp: (atStart: boolean): void => {
      watching?.abort();
      watching = new AbortController();
      watch(atStart, watching.signal).catch(() => undefined);
    },
    /** The person wants everything read again. */
    again: (): void => {
      if (connection.state() !== 'connected' || clock.now() - (doneAt() ?? 0) < notSoonerMs) return;
      // One that waits for the service tells nobody how it is.
      if (run !== null && problem === null) return;
      run?.abort();
      void go({});
    },
    stop: () => {
      watching?.abort();
      run?.abort();
      run = null;
    },
    state: (): ListingCounts['sync'] => ({ running: run !== null, read, doneAt: doneAt(), problem, says }),
  };
};

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error as { status: unknown }).status === 404;
