import { join } from 'node:path';
import * as z from 'zod';
import { atomically, all, one } from '../database.ts';
import { count } from '../columns.ts';
import { siteOf } from '../market/sites.ts';
import type { WrittenListing } from '../writer/writer.ts';
import { note } from './journal.ts';
import { findListing, updateListing, type ListingRow } from './listings.ts';
import { notify } from './notifications.ts';
import { photosOf } from './photos.ts';
import type { World } from './world.ts';
import { entryOf } from '../../contract/foreign.ts';

const sentences: Readonly<Record<string, string>> = {
  IMAGES_UNREADABLE: 'The photos could not be read. Take sharper, brighter ones and try again.',
  USAGE_LIMIT: "This month's listings are used up.",
};

export const failure = (code: string): string => entryOf(sentences, code) ?? 'The listing could not be written.';

type NotWritten = { ok: false; code: string; sentence: string };

/** How many listings of a person are being written. */
export const writingCount = ({ db }: World, userId: string): number =>
  one(db, count, "SELECT COUNT(*) AS n FROM listings WHERE status = 'processing' AND userId = ?", userId)?.n ?? 0;

const ask = async (world: World, listing: ListingRow, signal: AbortSignal): Promise<WrittenListing | NotWritten> => {
  const { delayMs, fail } = world.writerOrders;
  if (delayMs > 0) await world.clock.sleep(delayMs, signal);
  if (fail !== null) return { ok: false, code: fail, sentence: failure(fail) };
  return world.writer.write(
    {
      photos: photosOf(world, listing.listingId).map(({ file }) => ({ path: join(world.photosDir, file) })),
      words: listing.additionalContext ?? '',
      quantity: listing.quantity,
      marketplaceId: siteOf(listing.marketplaceId) ? listing.marketplaceId : 'MKT_US',
      language: listing.listingLanguage,
    },
    signal,
  );
};

const changesOf = (text: WrittenListing) => ({
  status: 'pending_review' as const,
  processingError: null,
  processingErrorCode: null,
  title: text.title,
  description: text.description,
  categoryId: text.categoryId,
  categoryName: text.categoryName,
  condition: text.condition,
  conditionDescription: text.conditionDescription || null,
  itemSpecifics: text.itemSpecifics,
  suggestedPrice: text.suggestedPriceCents,
  // Without a comparable offer there is no price to suggest, and none to ask.
  price: text.suggestedPriceCents || null,
  notes: text.unknown.map(({ field, message }) => ({ field, message })),
  written: true,
  runId: null,
});

/** Keeps what came of writing, unless the listing has moved on since. */
const settle = (world: World, listing: ListingRow, outcome: WrittenListing | NotWritten): void =>
  atomically(world.db, () => {
    const now = findListing(world, listing.listingId);
    if (now?.status !== 'processing' || now.runId !== listing.runId) return;
    const { userId, listingId } = listing;
    if (outcome.ok) {
      updateListing(world, listingId, changesOf(outcome));
      note(world, 'written', { userId, listingId, ok: true });
      return notify(world, userId, 'listing_ready', `"${outcome.title}" is ready for your review.`, listingId);
    }
    updateListing(world, listingId, {
      status: 'failed',
      processingError: outcome.sentence,
      processingErrorCode: outcome.code,
      runId: null,
    });
    note(world, 'written', { userId, listingId, ok: false, code: outcome.code });
    notify(world, userId, 'listing_failed', outcome.sentence, listingId);
  });

/** A writer may be inside a photo for long, or never hear of the end: what it still says then is nobody's any more. */
const unlessStopped = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const write = async (world: World, listing: ListingRow, signal: AbortSignal): Promise<void> => {
  try {
    settle(world, listing, await unlessStopped(ask(world, listing, signal), signal));
  } catch (error) {
    // When the service is stopping the listing stays in work and is written after the next start.
    if (signal.aborted) return;
    world.report(error);
    settle(world, listing, { ok: false, code: 'WRITER_FAILED', sentence: failure('WRITER_FAILED') });
  }
};

/** Begins writing a listing that is in work; goes on after the answer. */
export const beginWriting = (world: World, listingId: string): void => {
  const listing = findListing(world, listingId);
  if (listing?.status !== 'processing') return;
  const abort = new AbortController();
  const done = write(world, listing, abort.signal).finally(() => {
    if (world.writing.get(listingId)?.abort === abort) world.writing.delete(listingId);
  });
  world.writing.set(listingId, { abort, done });
};

const inWork = z.object({ listingId: z.string() });

/** Writes again what was in work when the service stopped. Nothing is charged twice: the charge was made at the start. */
export const resumeWriting = (world: World): void => {
  for (const { listingId } of all(world.db, inWork, "SELECT listingId FROM listings WHERE status = 'processing'"))
    beginWriting(world, listingId);
};

/** Stops all writing without an effect. */
export const stopWriting = async (world: World): Promise<void> => {
  const running = [...world.writing.values()];
  for (const { abort } of running) abort.abort(new Error('The service is stopping.'));
  await Promise.all(running.map(({ done }) => done));
};
