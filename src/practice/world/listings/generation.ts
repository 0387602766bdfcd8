import { join } from 'node:path';
import * as z from 'zod';
import { atomically, all, one, count } from '../../database.ts';
import { siteOf } from '../../market/sites.ts';
import { escapeHtml } from '../../writer/plainText.ts';
import type { WrittenListing } from '../../writer/writer.ts';
import { recordEffect } from '../journal.ts';
import { findListing, updateListing, type ListingRow, requireOwnListing, requireState } from './listings.ts';
import { notify } from '../messages.ts';
import { photosOf } from './photos.ts';
import type { World } from '../world.ts';
import { entryOf } from '../../../contract/untrusted.ts';
import { limits } from '../../../contract/index.ts';
import { newId } from '../../ids.ts';
import { refuse } from '../../refusal.ts';
import { planOf, takeListing } from '../allowance.ts';
import { requireApproval } from '../extras.ts';
import type { Key } from '../keys.ts';
import { requirePerson, type Person } from '../people.ts';

const sentences: Readonly<Record<string, string>> = {
  IMAGES_UNREADABLE: 'The photos could not be read. Take sharper, brighter ones and try again.',
  USAGE_LIMIT: "This month's listings are used up.",
};

export const failureSentence = (code: string): string =>
  entryOf(sentences, code) ?? 'The listing could not be written.';

type NotWritten = { ok: false; code: string; sentence: string };

const writingCount = ({ db }: World, userId: string): number =>
  one(db, count, "SELECT COUNT(*) AS n FROM listings WHERE status = 'processing' AND userId = ?", userId)?.n ?? 0;

/** Returns the site and language to write for: those of the adaptation, else those of the listing. */
const targetOf = ({ adaptTo, marketplaceId, listingLanguage }: ListingRow) =>
  adaptTo ?? { marketplaceId, listingLanguage };

const askWriter = async (
  world: World,
  listing: ListingRow,
  signal: AbortSignal,
): Promise<WrittenListing | NotWritten> => {
  const { delayMs, fail } = world.writerOverrides;
  if (delayMs > 0) await world.clock.sleep(delayMs, signal);
  if (fail !== null) return { ok: false, code: fail, sentence: failureSentence(fail) };
  const { marketplaceId, listingLanguage } = targetOf(listing);
  return world.writer.write(
    {
      photos: photosOf(world, listing.listingId).map(({ file }) => ({ path: join(world.photosDir, file) })),
      words: listing.additionalContext ?? '',
      quantity: listing.quantity,
      marketplaceId: siteOf(marketplaceId) ? marketplaceId : 'MKT_US',
      language: listingLanguage,
    },
    signal,
  );
};

/** Appends the template's footer to a description. The footer is plain text from the person, so it is escaped. */
const withFooter = (description: string, footer: string | null): string =>
  footer === null || footer.trim() === ''
    ? description
    : `${description}\n<p>${escapeHtml(footer.trim()).replaceAll('\n', '<br>')}</p>`;

/** Drops the offer limits if the site's currency changes, because they are amounts in the old currency. */
const offerAfter = ({ bestOffer, marketplaceId, adaptTo }: ListingRow) => {
  const sameCurrency = siteOf(marketplaceId)?.currency === siteOf(adaptTo?.marketplaceId ?? marketplaceId)?.currency;
  if (bestOffer === null || sameCurrency) return bestOffer;
  const { autoAcceptCents: _accept, autoDeclineCents: _decline, ...kept } = bestOffer;
  return kept;
};

const changesOf = (listing: ListingRow, text: WrittenListing) => ({
  status: 'pending_review' as const,
  ...targetOf(listing),
  adaptTo: null,
  bestOffer: offerAfter(listing),
  processingError: null,
  processingErrorCode: null,
  title: text.title,
  description: withFooter(text.description, listing.descriptionFooter),
  categoryId: text.categoryId,
  categoryName: text.categoryName,
  condition: text.condition,
  conditionDescription: text.conditionDescription || null,
  itemSpecifics: text.itemSpecifics,
  suggestedPrice: text.suggestedPriceCents,
  // A suggested price of 0 means that no comparable offer was found.
  price: text.suggestedPriceCents || null,
  notes: text.notes.map(({ field, message }) => ({ field, message })),
  written: true,
  runId: null,
});

/** Saves the result of the writing, unless the listing has left this run. */
const saveOutcome = (world: World, listing: ListingRow, outcome: WrittenListing | NotWritten): void =>
  atomically(world.db, () => {
    const now = findListing(world, listing.listingId);
    if (now?.status !== 'processing' || now.runId !== listing.runId) return;
    const { userId, listingId } = listing;
    if (outcome.ok) {
      updateListing(world, listingId, changesOf(listing, outcome));
      recordEffect(world, 'written', { userId, listingId, ok: true });
      return notify(world, userId, {
        kind: 'listing_ready',
        text: `"${outcome.title}" is ready for your review.`,
        listingId,
      });
    }
    updateListing(world, listingId, {
      status: 'failed',
      processingError: outcome.sentence,
      processingErrorCode: outcome.code,
      adaptTo: null,
      runId: null,
    });
    recordEffect(world, 'written', { userId, listingId, ok: false, code: outcome.code });
    notify(world, userId, { kind: 'listing_failed', text: outcome.sentence, listingId });
  });

/** Races the writer against the abort signal, because the writer may ignore the signal. A late result is discarded. */
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

const writeListing = async (world: World, listing: ListingRow, signal: AbortSignal): Promise<void> => {
  try {
    saveOutcome(world, listing, await unlessStopped(askWriter(world, listing, signal), signal));
  } catch (error) {
    // On shutdown the listing stays in `processing` and is written after the next start.
    if (signal.aborted) return;
    world.report(error);
    saveOutcome(world, listing, { ok: false, code: 'WRITER_FAILED', sentence: failureSentence('WRITER_FAILED') });
  }
};

/** Starts writing a listing in `processing` in the background. */
const beginWriting = (world: World, listingId: string): void => {
  const listing = findListing(world, listingId);
  if (listing?.status !== 'processing') return;
  const abort = new AbortController();
  const done = writeListing(world, listing, abort.signal).finally(() => {
    if (world.writing.get(listingId)?.abort === abort) world.writing.delete(listingId);
  });
  world.writing.set(listingId, { abort, done });
};

const inWork = z.object({ listingId: z.string() });

/**
 * Resumes listings that were being written at shutdown. The allowance was charged at the start, so nothing is charged
 * twice.
 */
export const resumeWriting = (world: World): void => {
  for (const { listingId } of all(world.db, inWork, "SELECT listingId FROM listings WHERE status = 'processing'"))
    beginWriting(world, listingId);
};

/** Aborts all writing and discards the results. */
export const stopWriting = async (world: World): Promise<void> => {
  const running = [...world.writing.values()];
  for (const { abort } of running) abort.abort(new Error('The service is stopping.'));
  await Promise.all(running.map(({ done }) => done));
};

type GenerateRequest = {
  intent: 'initial' | 'adapt_marketplace';
  targetMarketplaceId?: string | undefined;
  targetLanguage?: string | undefined;
  extrasApprovalId?: string | undefined;
};

const refuseTooManyAtOnce = (world: World, person: Person): void => {
  const most = limits.concurrentGenerations;
  if (writingCount(world, person.userId) >= most)
    refuse(400, `${most} listings are already being written. Wait until one of them is finished.`);
};

const startProcessing = (world: World, listing: ListingRow, adaptTo: ListingRow['adaptTo']) =>
  updateListing(world, listing.listingId, {
    adaptTo,
    status: 'processing',
    processingError: null,
    processingErrorCode: null,
    runId: newId('run'),
  });

/**
 * Refuses a draft without photos, or with more photos than the plan allows now. The plan may have been downgraded since
 * the upload.
 */
const requirePhotos = (world: World, person: Person, { listingId }: ListingRow): void => {
  const count = photosOf(world, listingId).length;
  const { name, photosPerListing } = planOf(person);
  if (count === 0) refuse(400, 'The listing has no photos yet. Upload them first.');
  if (count > photosPerListing)
    refuse(
      400,
      `The ${name} plan has ${photosPerListing} photos a listing; this one has ${count}. Delete it and start again with fewer, or take a larger plan.`,
    );
};

type Writer = { person: Person; key: Key };

/** Starts the first writing of a draft. It charges the allowance; the listing fails if the allowance is used up. */
const writeFirst = (world: World, caller: Writer, listing: ListingRow, request: GenerateRequest): void => {
  const { person, key } = caller;
  requireState(listing, ['draft'], 'written');
  requirePhotos(world, person, listing);
  refuseTooManyAtOnce(world, person);
  const { extrasApprovalId } = request;
  const approval = extrasApprovalId === undefined ? null : requireApproval(world, person, key, extrasApprovalId);
  const { userId } = person;
  const { listingId } = listing;
  const source = takeListing(world, caller, listingId, approval);
  if (source === null) {
    recordEffect(world, 'generation', { userId, listingId, intent: 'initial', source: null });
    return updateListing(world, listingId, {
      status: 'failed',
      processingError: failureSentence('USAGE_LIMIT'),
      processingErrorCode: 'USAGE_LIMIT',
    });
  }
  startProcessing(world, listing, null);
  recordEffect(world, 'generation', { userId, listingId, intent: 'initial', source });
};

/** Rewrites a reviewed listing for another site. It does not charge the allowance. */
const adapt = (world: World, person: Person, listing: ListingRow, request: GenerateRequest): void => {
  requireState(listing, ['pending_review'], 'adapted to another site');
  const { targetMarketplaceId, targetLanguage, extrasApprovalId } = request;
  if (extrasApprovalId !== undefined) refuse(400, 'extrasApprovalId belongs to the intent initial only.');
  const site = targetMarketplaceId === undefined ? undefined : siteOf(targetMarketplaceId);
  if (!site) return refuse(400, 'targetMarketplaceId has to name one of the supported sites.');
  refuseTooManyAtOnce(world, person);
  startProcessing(world, listing, { marketplaceId: site.id, listingLanguage: targetLanguage ?? site.language });
  recordEffect(world, 'generation', {
    userId: person.userId,
    listingId: listing.listingId,
    intent: 'adapt_marketplace',
    source: 'none',
    marketplaceId: site.id,
  });
};

/** Starts a writing and returns before it ends, unless the practice controls set `answersWritten`. */
export const generateListing = async (
  world: World,
  { person, key }: Writer,
  listingId: string,
  request: GenerateRequest,
): Promise<void> => {
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    // Read the person again: an earlier call may have used the last credit.
    const now = requirePerson(world, person.userId);
    if (request.intent === 'initial') writeFirst(world, { person: now, key }, listing, request);
    else adapt(world, now, listing, request);
  });
  beginWriting(world, listingId);
  if (world.writerOverrides.answersWritten) await world.writing.get(listingId)?.done;
};
