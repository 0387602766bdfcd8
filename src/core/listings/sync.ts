import * as z from 'zod';
import { listing as listingShape } from '../../contract/index.ts';
import type { Saying } from '../../words/saying.ts';
import type { Asker } from '../approvals/approval.ts';
import type { CoreParts } from '../openParts.ts';
import type { Perform } from '../perform.ts';
import { problemView } from '../problem.ts';
import type { ListingCounts } from './listingRow.ts';

const pageRows = 200;
const betweenPagesMs = 250;
/** Reading everything again at every start would be a burden to the service; changes come with what is done here. */
const againAfterMs = 6 * 3_600_000;
/** A person who presses "Read again" twice means it once. */
const notSoonerMs = 60_000;
/** Listings that were not on any page are looked at one by one; more than these wait for the next time. */
const mostGone = 20;

const person: Asker = { kind: 'person' };
const page = z.looseObject({ listings: z.array(listingShape), nextCursor: z.string().nullish() });

type Parts = Pick<CoreParts, 'clock' | 'settings' | 'listings' | 'connection' | 'changed' | 'log'> & {
  perform: Perform['perform'];
  forget: (listingId: string) => void;
};

/** Reads all pages of the person's listings in the background, one after the other, into the copy on this machine. */
export const createListingsSync = (parts: Parts) => {
  const { clock, settings, connection, changed } = parts;
  let run: AbortController | null = null;
  let read = 0;
  let problem: string | null = null;
  let says: Saying | undefined;
  const mark = (): string => `listings read ${connection.account()}`;
  const doneAt = (): number | null => settings.read(mark(), z.int());

  const readPage = async (cursor: string | null, signal: AbortSignal) => {
    const query = { limit: pageRows, ...(cursor === null ? {} : { cursor }) };
    const outcome = await parts.perform({ by: person, route: 'listListings', input: { query }, signal });
    return page.parse(outcome.state === 'done' ? outcome.answer : null);
  };

  const readAll = async (signal: AbortSignal): Promise<void> => {
    const account = connection.account();
    const seen = new Set<string>();
    let cursor: string | null = null;
    do {
      const { listings, nextCursor } = await readPage(cursor, signal);
      for (const { listingId } of listings) seen.add(listingId);
      read = seen.size;
      cursor = listings.length === 0 ? null : (nextCursor ?? null);
      changed('listings');
      if (cursor !== null) await clock.sleep(betweenPagesMs, signal);
    } while (cursor !== null);
    await lookForGone(
      parts.listings.ids(account).filter((listingId) => !seen.has(listingId)),
      signal,
    );
    settings.write(mark(), clock.now());
  };

  /** A listing that no page had may be hidden, or gone: only the service's own "not found" takes it away here. */
  const lookForGone = async (listingIds: string[], signal: AbortSignal): Promise<void> => {
    for (const listingId of listingIds.slice(0, mostGone)) {
      try {
        await parts.perform({ by: person, route: 'readListing', input: { params: { listingId } }, signal });
      } catch (error) {
        if (signal.aborted) throw error;
        if (isNotFound(error)) parts.forget(listingId);
      }
      await clock.sleep(betweenPagesMs, signal);
    }
  };

  const go = async (): Promise<void> => {
    const own = new AbortController();
    run = own;
    read = 0;
    problem = null;
    try {
      await readAll(own.signal);
    } catch (error) {
      if (own.signal.aborted) return;
      const view = problemView(error);
      ({ sentence: problem, says } = view);
      parts.log('warn', 'the listings could not all be read', { code: view.code });
    } finally {
      if (run === own) run = null;
      changed('listings');
    }
  };

  const start = (notBefore: number): void => {
    if (run !== null || connection.state() !== 'connected') return;
    if (clock.now() - (doneAt() ?? 0) < notBefore) return;
    void go();
  };

  return {
    /** At a start or after connecting: unless everything was read a short while ago. */
    takeUp: () => start(againAfterMs),
    /** The person wants everything read again. */
    again: () => start(notSoonerMs),
    stop: () => {
      run?.abort();
      run = null;
    },
    state: (): ListingCounts['sync'] => ({ running: run !== null, read, doneAt: doneAt(), problem, says }),
  };
};

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error as { status: unknown }).status === 404;
