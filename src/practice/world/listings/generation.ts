import { join } from 'node:path';
import * as z from 'zod';
import { runInTransaction, selectAllRows, selectFirstRow, countRow } from '../../database.ts';
import { findSiteById } from '../../market/sites.ts';
import { escapeHtml } from '../../../text/escapes.ts';
import type { WrittenListing } from '../../writer/writer.ts';
import { recordJournalEffect } from '../journal.ts';
import {
  findListingById,
  updateListingColumns,
  type ListingRow,
  requireOwnListing,
  requireListingState,
} from './listings.ts';
import { addPersonNotification } from '../messages.ts';
import { listListingPhotos } from './photos.ts';
import type { World } from '../world.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';
import { limits } from '../../../contract/index.ts';
import { createPrefixedId } from '../../ids.ts';
import { refuseCall } from '../../refusal.ts';
import { getPersonPlan, chargeListingToAllowance } from '../allowance.ts';
import { requireNamedApproval } from '../extras.ts';
import type { Key } from '../keys.ts';
import { requirePersonById, type Person } from '../people.ts';

const failureSentences: Readonly<Record<string, string>> = {
  IMAGES_UNREADABLE: 'The photos could not be read. Take sharper, brighter ones and try again.',
  USAGE_LIMIT: "This month's listings are used up.",
};

export const getFailureSentence = (code: string): string =>
  findOwnEntry(failureSentences, code) ?? 'The listing could not be written.';

type WritingFailure = { ok: false; code: string; sentence: string };

const countListingsInProcessing = ({ db }: World, userId: string): number =>
  selectFirstRow(db, countRow, "SELECT COUNT(*) AS n FROM listings WHERE status = 'processing' AND userId = ?", userId)
    ?.n ?? 0;

const getWritingTarget = ({ adaptTo, marketplaceId, listingLanguage }: ListingRow) =>
  adaptTo ?? { marketplaceId, listingLanguage };

const requestWrittenListing = async (
  world: World,
  listing: ListingRow,
  signal: AbortSignal,
): Promise<WrittenListing | WritingFailure> => {
  const { delayMs, fail } = world.writerOverrides;
  if (delayMs > 0) await world.clock.sleep(delayMs, signal);
  if (fail !== null) return { ok: false, code: fail, sentence: getFailureSentence(fail) };
  const { marketplaceId, listingLanguage } = getWritingTarget(listing);
  return world.writer.write(
    {
      photos: listListingPhotos(world, listing.listingId).map(({ file }) => ({ path: join(world.photosDir, file) })),
      words: listing.additionalContext ?? '',
      quantity: listing.quantity,
      marketplaceId: findSiteById(marketplaceId) ? marketplaceId : 'MKT_US',
      language: listingLanguage,
    },
    signal,
  );
};

/** The footer is plain text from the person, so it is escaped. */
const appendTemplateFooter = (description: string, footer: string | null): string =>
  footer === null || footer.trim() === ''
    ? description
    : `${description}\n<p>${escapeHtml(footer.trim()).replaceAll('\n', '<br>')}</p>`;

/** Drops the offer limits if the currency changes, because they are amounts in the old currency. */
const adaptOfferLimits = ({ bestOffer, marketplaceId, adaptTo }: ListingRow) => {
  const sameCurrency =
    findSiteById(marketplaceId)?.currency === findSiteById(adaptTo?.marketplaceId ?? marketplaceId)?.currency;
  if (bestOffer === null || sameCurrency) return bestOffer;
  const { autoAcceptCents: _accept, autoDeclineCents: _decline, ...otherFields } = bestOffer;
  return otherFields;
};

const toWrittenUpdate = (listing: ListingRow, text: WrittenListing) => ({
  status: 'pending_review' as const,
  ...getWritingTarget(listing),
  adaptTo: null,
  bestOffer: adaptOfferLimits(listing),
  processingError: null,
  processingErrorCode: null,
  title: text.title,
  description: appendTemplateFooter(text.description, listing.descriptionFooter),
  categoryId: text.categoryId,
  categoryName: text.categoryName,
  condition: text.condition,
  conditionDescription: text.conditionDescription || null,
  itemSpecifics: text.itemSpecifics,
  suggestedPrice: text.suggestedPriceCents,
  // A suggested price of 0 means that there are no comparable offers.
  price: text.suggestedPriceCents || null,
  notes: text.notes.map(({ field, message }) => ({ field, message })),
  written: true,
  runId: null,
});

/** Saves nothing if the listing's status has changed or another run of the writer has started for this listing. */
const saveGenerationResult = (world: World, listing: ListingRow, outcome: WrittenListing | WritingFailure): void =>
  runInTransaction(world.db, () => {
    const now = findListingById(world, listing.listingId);
    if (now?.status !== 'processing' || now.runId !== listing.runId) return;
    const { userId, listingId } = listing;
    if (outcome.ok) {
      updateListingColumns(world, listingId, toWrittenUpdate(listing, outcome));
      recordJournalEffect(world, 'written', { userId, listingId, ok: true });
      return addPersonNotification(world, userId, {
        kind: 'listing_ready',
        text: `"${outcome.title}" is ready for your review.`,
        listingId,
      });
    }
    updateListingColumns(world, listingId, {
      status: 'failed',
      processingError: outcome.sentence,
      processingErrorCode: outcome.code,
      adaptTo: null,
      runId: null,
    });
    recordJournalEffect(world, 'written', { userId, listingId, ok: false, code: outcome.code });
    addPersonNotification(world, userId, { kind: 'listing_failed', text: outcome.sentence, listingId });
  });

/** The writer might ignore the signal, so this does not wait for the writer after an abort. */
const raceAgainstAbort = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>();
  const rejectWithReason = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', rejectWithReason, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', rejectWithReason);
  }
};

const writeAndSaveListing = async (world: World, listing: ListingRow, signal: AbortSignal): Promise<void> => {
  try {
    saveGenerationResult(world, listing, await raceAgainstAbort(requestWrittenListing(world, listing, signal), signal));
  } catch (error) {
    // At shutdown, the listing stays in `processing`, so that the next start resumes the writing.
    if (signal.aborted) return;
    world.report(error);
    saveGenerationResult(world, listing, {
      ok: false,
      code: 'WRITER_FAILED',
      sentence: getFailureSentence('WRITER_FAILED'),
    });
  }
};

const startWritingListing = (world: World, listingId: string): void => {
  const listing = findListingById(world, listingId);
  if (listing?.status !== 'processing') return;
  const abort = new AbortController();
  const done = writeAndSaveListing(world, listing, abort.signal).finally(() => {
    if (world.writing.get(listingId)?.abort === abort) world.writing.delete(listingId);
  });
  world.writing.set(listingId, { abort, done });
};

const processingRow = z.object({ listingId: z.string() });

/**
 * Resumes the listings that were being written at shutdown. Each listing was charged when its writing started, so it is
 * not charged again.
 */
export const resumeInterruptedGenerations = (world: World): void => {
  for (const { listingId } of selectAllRows(
    world.db,
    processingRow,
    "SELECT listingId FROM listings WHERE status = 'processing'",
  ))
    startWritingListing(world, listingId);
};

/** Aborts all writing and discards the results. */
export const abortAllGenerations = async (world: World): Promise<void> => {
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

const refuseTooManyGenerations = (world: World, person: Person): void => {
  const maxGenerations = limits.concurrentGenerations;
  if (countListingsInProcessing(world, person.userId) >= maxGenerations)
    refuseCall(400, `${maxGenerations} listings are already being written. Wait until one of them is finished.`);
};

const markListingProcessing = (world: World, listing: ListingRow, adaptTo: ListingRow['adaptTo']) =>
  updateListingColumns(world, listing.listingId, {
    adaptTo,
    status: 'processing',
    processingError: null,
    processingErrorCode: null,
    runId: createPrefixedId('run'),
  });

/** A draft can have too many photos if the person has changed to a smaller plan since the upload. */
const requirePhotosWithinPlan = (world: World, person: Person, { listingId }: ListingRow): void => {
  const count = listListingPhotos(world, listingId).length;
  const { name, photosPerListing } = getPersonPlan(person);
  if (count === 0) refuseCall(400, 'The listing has no photos yet. Upload them first.');
  if (count > photosPerListing)
    refuseCall(
      400,
      `The ${name} plan has ${photosPerListing} photos a listing; this one has ${count}. Delete it and start again with fewer, or take a larger plan.`,
    );
};

type WritingCaller = { person: Person; key: Key };

const startFirstWriting = (
  world: World,
  caller: WritingCaller,
  listing: ListingRow,
  request: GenerateRequest,
): void => {
  const { person, key } = caller;
  requireListingState(listing, ['draft'], 'written');
  requirePhotosWithinPlan(world, person, listing);
  refuseTooManyGenerations(world, person);
  const { extrasApprovalId } = request;
  const approval = extrasApprovalId === undefined ? null : requireNamedApproval(world, person, key, extrasApprovalId);
  const { userId } = person;
  const { listingId } = listing;
  const source = chargeListingToAllowance(world, caller, listingId, approval);
  if (source === null) {
    recordJournalEffect(world, 'generation', { userId, listingId, intent: 'initial', source: null });
    return updateListingColumns(world, listingId, {
      status: 'failed',
      processingError: getFailureSentence('USAGE_LIMIT'),
      processingErrorCode: 'USAGE_LIMIT',
    });
  }
  markListingProcessing(world, listing, null);
  recordJournalEffect(world, 'generation', { userId, listingId, intent: 'initial', source });
};

const startSiteAdaptation = (world: World, person: Person, listing: ListingRow, request: GenerateRequest): void => {
  requireListingState(listing, ['pending_review'], 'adapted to another site');
  const { targetMarketplaceId, targetLanguage, extrasApprovalId } = request;
  if (extrasApprovalId !== undefined) refuseCall(400, 'extrasApprovalId belongs to the intent initial only.');
  const site = targetMarketplaceId === undefined ? undefined : findSiteById(targetMarketplaceId);
  if (!site) return refuseCall(400, 'targetMarketplaceId has to name one of the supported sites.');
  refuseTooManyGenerations(world, person);
  markListingProcessing(world, listing, { marketplaceId: site.id, listingLanguage: targetLanguage ?? site.language });
  recordJournalEffect(world, 'generation', {
    userId: person.userId,
    listingId: listing.listingId,
    intent: 'adapt_marketplace',
    source: 'none',
    marketplaceId: site.id,
  });
};

/**
 * Starts the writing of a listing. Waits until the listing is written only if the practice controls set
 * `answersWritten`.
 */
export const startListingGeneration = async (
  world: World,
  { person, key }: WritingCaller,
  listingId: string,
  request: GenerateRequest,
): Promise<void> => {
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    // Read the person again, because an earlier call might have used the last credit.
    const now = requirePersonById(world, person.userId);
    if (request.intent === 'initial') startFirstWriting(world, { person: now, key }, listing, request);
    else startSiteAdaptation(world, now, listing, request);
  });
  startWritingListing(world, listingId);
  if (world.writerOverrides.answersWritten) await world.writing.get(listingId)?.done;
};
