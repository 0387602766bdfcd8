import { randomUUID } from 'node:crypto';
import { toRecordOrEmpty } from '../base/json.ts';
import { mapConcurrently } from '../base/semaphore.ts';
import { Problem } from '../base/problem.ts';
import { groupAtLabels } from './arranging/groupPhotos.ts';
import {
  type ItemsContext,
  type RunStep,
  advanceItemStep,
  requireListingId,
  readItemListing,
  sendItemRequest,
} from './itemsContext.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { limits, type Listing, type Standing } from '../../contract/index.ts';
import { storeChosenPhotosInSlices } from './choosePhotos.ts';
import { assignLabelSku, recogniseLabelsAgain } from '../shelf/labelPhotos.ts';
import { createItemProblem, createUnreadableProblem } from './itemState.ts';
import { getGenerationKey, delaysAfterLostAnswer } from '../service/pacing/lostAnswers.ts';
import { isTransientError, ServiceError } from '../service/serviceError.ts';
import { getReviewReason, type ReviewReason, type Step } from '../storage/tables/itemRecord.ts';
import {
  applyConfirmedIdentifiers,
  listItemBarcodes,
  buildGenerationContext,
  listConfirmedIdentifiers,
} from './barcodes.ts';
import { deleteOwnedCopies, runUploadStep } from './uploadStep.ts';
import { parseErrorCode, parseServiceSentence } from '../../contract/untrusted.ts';

/**
 * Shrinking can make a small barcode unreadable. If a photo was not shrunk, its barcodes have already been read at full
 * size.
 */
const wasPhotoShrunk = (photo: PhotoRow, longEdgePx: number): boolean =>
  Math.max(photo.width ?? 0, photo.height ?? 0) >= longEdgePx;

/** Reads barcodes at full size if the prepared photos have none. The item does not wait for the result. */
const readFullSizeBarcodes = async (context: ItemsContext, itemId: string, signal: AbortSignal): Promise<void> => {
  const { table, workers } = context;
  const photos = table.photos(itemId).filter((photo) => photo.state === 'ready');
  if (photos.some(({ barcodes }) => barcodes.length > 0)) return;
  const { longEdgePx } = context.settings();
  for (const { photo_id, source, root } of photos
    .filter((photo) => wasPhotoShrunk(photo, longEdgePx))
    .slice(0, limits.photosPerListing)) {
    const barcodes = await workers.readBarcodes({ source, root }, signal).catch(() => null);
    if (barcodes === null) return;
    const now = table.photo(photo_id);
    if (barcodes.length === 0 || !now) continue;
    table.notePhoto(photo_id, { barcodes });
    return context.notifyItemChanged(now.item_id);
  }
};

/** An item that the person has started is compared with the live listings, too, because nothing is uploaded yet. */
const findReviewReason = (
  { findDuplicates }: ItemsContext,
  item: ItemRow,
  photos: readonly PhotoRow[],
): ReviewReason | null => {
  if (item.by.kind !== 'person' || getReviewReason(item.review_reason) !== null) return null;
  if (item.listing_id === null && findDuplicates({ itemId: item.item_id }, null).length > 0) return 'liveDuplicate';
  if (item.review_reason === 'reviewed') return null;
  if (photos.some(({ aside }) => aside === 'over_cap')) return 'overCap';
  const unusable = photos.filter(({ state }) => state === 'refused').length;
  return unusable * 2 > photos.length ? 'unusable' : null;
};

/** More photos of an item than the photo process can have at a time, so that thumbnails can overtake whole photos. */
const maxPhotosInLine = 200;

const prepareAllPhotos = async (context: ItemsContext, itemId: string, signal: AbortSignal): Promise<PhotoRow[]> => {
  const unreadable = new Set<string>();
  await context.table.loadPhotos(itemId);
  signal.throwIfAborted();
  const listWaitingPhotos = () => context.table.photos(itemId).filter(({ state }) => state === 'waiting');
  for (;;) {
    const next = listWaitingPhotos().filter(({ photo_id: id }) => !unreadable.has(id));
    if (next.length === 0) return listWaitingPhotos();
    await mapConcurrently(next, maxPhotosInLine, async ({ photo_id: id }) => {
      if ((await context.preparing.photo(id, signal)) === 'unreadable') unreadable.add(id);
    });
  }
};

/**
 * Prepares all photos. The person can add or move photos during the step, so it repeats until every photo is prepared.
 */
const runPhotosStep: RunStep = async (context, item, signal) => {
  const { table } = context;
  const itemId = item.item_id;
  const unreadable = await prepareAllPhotos(context, itemId, signal);
  if (unreadable.length > 0) {
    context.watchUnreadable();
    throw createUnreadableProblem(unreadable, table.photos(itemId).length > unreadable.length);
  }
  if (table.read(itemId)?.step !== 'photos') return;
  recogniseLabelsAgain(context, itemId);
  await storeChosenPhotosInSlices(context, itemId, context.photoCap() - item.photos_from);
  signal.throwIfAborted();
  const before = table.read(itemId);
  // The person can have changed the photos between the slices. Then the step repeats.
  if (before?.step !== 'photos' || table.photos(itemId).some(({ state }) => state === 'waiting')) return;
  assignLabelSku(context, itemId);
  if (!table.photos(itemId).some((photo) => photo.state === 'ready')) throw createItemProblem('NO_PHOTOS');
  const now = groupAtLabels(context, before);
  const { review_reason: reason } = now;
  if (reason === 'grouped') {
    advanceItemStep(context, item, 'arranging');
    if (now.drop_id !== null) context.groupDrop(now.drop_id);
    return;
  }
  const found = findReviewReason(context, now, table.photos(itemId));
  if (found !== null) return advanceItemStep(context, item, 'arranging', { review_reason: found });
  readFullSizeBarcodes(context, itemId, signal).catch(() => context.log('warn', 'storing a barcode failed'));
  advanceItemStep(context, item, getReviewReason(reason) === null ? 'draft' : 'arranging');
};

const getDraftTimeKey = ({ idempotency_key: key }: ItemRow): string => `draft ${key}`;
/** After this time the service has forgotten the idempotency key, so a retry would create a second draft. */
const keyValidMs = limits.idempotencyMs - 60 * 60_000;

/**
 * Throws `TEMPLATE_GONE` and resets the draft if the template no longer exists, because a retry needs a new idempotency
 * key. Otherwise throws the given error.
 */
const throwDraftError = async (
  context: ItemsContext,
  item: ItemRow,
  error: unknown,
  signal: AbortSignal,
): Promise<never> => {
  const { template_id: templateId } = item;
  if (!(error instanceof ServiceError) || error.effect !== 'refused' || !templateId) throw error;
  const listed = await sendItemRequest(context, item, { route: 'listTemplates', input: {} }, signal).catch(() => null);
  const { templates } = toRecordOrEmpty(listed);
  const matchesTemplate = (one: unknown): boolean =>
    [toRecordOrEmpty(one)['templateId'], toRecordOrEmpty(one)['id']].includes(templateId);
  if (!Array.isArray(templates) || templates.some(matchesTemplate)) throw error;
  const freshDraft = { draft_body: null, draft_sent_at: null, idempotency_key: randomUUID() };
  context.table.note(item.item_id, freshDraft, context.clock.now());
  throw createItemProblem('TEMPLATE_GONE');
};

/** Stores the idempotency key and the body before the first request, so that every retry gets the same draft. */
const runDraftStep: RunStep = async (context, { item_id: itemId }, signal) => {
  const { table, clock, ages } = context;
  // The person might have changed the item while it waited.
  const item = table.read(itemId);
  if (!item) return;
  if (item.listing_id !== null) return reuseOrReplaceDraft(context, item, signal);
  if (item.draft_sent_at !== null && ages.ageMs(getDraftTimeKey(item), item.draft_sent_at) > keyValidMs)
    throw createItemProblem('DRAFT_UNKNOWN');
  const { marketAccountId, marketplaceId: usualSite } = context.settings();
  const marketplaceId = item.marketplace_id ?? usualSite;
  const additionalContext = buildGenerationContext(
    item,
    listConfirmedIdentifiers(listItemBarcodes(item, table.photos(item.item_id))),
  );
  const body = item.draft_body ?? {
    quantity: item.quantity,
    ...(additionalContext === '' ? {} : { additionalContext }),
    ...(marketplaceId ? { marketplaceId } : {}),
    ...(marketAccountId ? { marketAccountId } : {}),
    ...(item.listing_language ? { listingLanguage: item.listing_language } : {}),
    ...(item.template_id === null ? {} : { templateId: item.template_id || null }),
  };
  if (item.draft_sent_at === null) ages.note(getDraftTimeKey(item));
  table.note(item.item_id, { draft_body: body, draft_sent_at: item.draft_sent_at ?? clock.now() }, clock.now());
  const headers = { 'idempotency-key': item.idempotency_key };
  const { listingId, status } = await sendItemRequest(
    context,
    item,
    { route: 'createListing', input: { headers, body } },
    signal,
  ).catch((error: unknown) => throwDraftError(context, item, error, signal));
  // After a backup is restored, the service might already have generated a listing from this draft.
  advanceItemStep(context, item, status === 'draft' ? 'upload' : stepOfStatus[status], { listing_id: listingId });
};

/** The service cannot remove photos from a draft, so a draft with too many photos must be replaced. */
const hasMorePhotosThanChosen = ({ imageUrls }: Pick<Listing, 'imageUrls'>, from: number, chosen: number): boolean =>
  from + chosen < (imageUrls?.length ?? 0);

const reuseOrReplaceDraft: RunStep = async (context, item, signal) => {
  const { table, clock } = context;
  const chosen = table.photos(item.item_id).filter(({ state }) => state === 'ready').length;
  const isKept = !hasMorePhotosThanChosen(await readItemListing(context, item, signal), item.photos_from, chosen);
  if (isKept) return advanceItemStep(context, item, 'upload');
  const fresh = { listing_id: null, idempotency_key: randomUUID(), draft_sent_at: null };
  table.note(item.item_id, fresh, clock.now());
};

const runLineStep: RunStep = async (context, item, signal) => {
  const { generations, clock, pacing } = context;
  const listingId = requireListingId(item);
  // If a generation was already requested, its outcome is read first, because a second request could generate the
  // listing twice.
  const before = generations.state(item.account, listingId);
  if (before !== null) {
    const now = await readItemListing(context, item, signal);
    if (now.status !== 'draft') return startWritingStep(context, item);
    if (!(await confirmGenerationNotStarted(context, item, signal))) return;
    // The listing is a draft: either the earlier generation started and the listing has been reverted since then, or
    // the earlier request had no effect. In both cases another generation is requested.
    if (before !== 'started') generations.note(item.account, listingId, 'not_started', { at: clock.now() });
  }
  const extras = chooseExtrasApproval(context, item, await context.writingStanding(signal));
  if (extras === 'wait' || (extras === null && context.allowance.readCoverage() === 'used'))
    return clock.sleep(pacing.getRandomDelayMs('writingPlace'), signal);
  // The approval is stored before the request, so that extras in flight are counted even after a crash.
  if (extras !== item.extras_approval) context.table.note(item.item_id, { extras_approval: extras }, clock.now());
  const body = extras === null ? {} : { extrasApprovalId: extras };
  try {
    await sendItemRequest(context, item, { route: 'generateListing', input: { params: { listingId }, body } }, signal);
  } catch (error) {
    // The standing has changed while the request waited, so the step runs again.
    if (error instanceof Problem && error.code === 'STANDING_UNKNOWN') return;
    if (!(error instanceof ServiceError)) throw error;
    if (error.effect === 'unclear') context.lostAnswers.note(getItemGenerationKey(item), error);
    if (error.code === 'EXTRAS_APPROVAL_REQUIRED' || error.code === 'BAD_EXTRAS_APPROVAL')
      throw createItemProblem('WOULD_BE_EXTRA');
    // The service returns a plain 400 while other clients of the account occupy all five generation places.
    if (error.status === 400 && error.code === 'REFUSED')
      return clock.sleep(pacing.getRandomDelayMs('writingPlace'), signal);
    if (error.status !== 409) throw error;
  }
  startWritingStep(context, item);
};

const getItemGenerationKey = (item: ItemRow): string => getGenerationKey(item.account, requireListingId(item));

/**
 * Returns true if several reads show that the generation did not start. Returns false if the item must be checked
 * again.
 */
const confirmGenerationNotStarted = async (
  context: ItemsContext,
  item: ItemRow,
  signal: AbortSignal,
): Promise<boolean> => {
  const { clock, generations, pacing, lostAnswers } = context;
  const sentAt = generations.unansweredSince(item.account, requireListingId(item));
  if (sentAt === null) return true;
  // This call starts the timer, which is read after the checks.
  lostAnswers.isOver(getItemGenerationKey(item), sentAt);
  for (const wait of delaysAfterLostAnswer) {
    await clock.sleep(pacing.getRandomDelayMs(wait), signal);
    if ((await readItemListing(context, item, signal)).status !== 'draft') return false;
  }
  return lostAnswers.isReadable(getItemGenerationKey(item), sentAt);
};

const startWritingStep = (context: ItemsContext, item: ItemRow): void =>
  advanceItemStep(context, item, 'writing', { writing_since: item.writing_since ?? context.clock.now() });

/**
 * Returns null if the plan or credits pay for the next listing. Otherwise returns the id of an extras approval, or
 * `wait` while all extras of that approval are in flight.
 */
const chooseExtrasApproval = (context: ItemsContext, item: ItemRow, { allowance }: Standing): string | null => {
  const kind = allowance.nextListing?.kind;
  if (kind === 'blocked' || kind === 'unavailable') throw createItemProblem('ALLOWANCE_USED');
  if (kind !== 'extra' && kind !== 'extras_approval_required') return null;
  const held = context.extrasApproval(item.by);
  const remaining = allowance.extras?.approval?.remaining ?? 0;
  if (held === null || remaining === 0) throw createItemProblem('WOULD_BE_EXTRA');
  return context.table.extrasInFlight(item.account) < remaining ? held : 'wait';
};

const runWritingStep: RunStep = async (context, item, signal) => {
  for (;;) {
    const listing = await readItemListing(context, item, signal);
    if (listing.status !== 'processing') return finishGeneration(context, item, listing, signal);
    await context.clock.sleep(limits.pollMs.usual, signal);
    context.notifyItemChanged(item.item_id);
  }
};

export const stepOfStatus: Record<Listing['status'], Step> = {
  draft: 'line',
  processing: 'writing',
  pending_review: 'review',
  failed: 'writing',
  published: 'live',
  sold: 'live',
  ended: 'ended',
};

const finishGeneration = async (
  context: ItemsContext,
  item: ItemRow,
  listing: Listing,
  signal: AbortSignal,
): Promise<void> => {
  if (listing.status === 'failed')
    throw createItemProblem(
      parseErrorCode(listing.processingErrorCode) ?? 'WRITING_FAILED',
      parseServiceSentence(listing.processingError),
    );
  if (listing.status === 'pending_review') await addConfirmedIdentifiers(context, item, listing, signal);
  // The originals are no longer needed, because photos can be edited only before the generation ends.
  await deleteOwnedCopies(context, item);
  advanceItemStep(context, item, stepOfStatus[listing.status]);
};

/** If the service refuses the identifiers, the listing is reviewed without them. */
const addConfirmedIdentifiers = async (
  context: ItemsContext,
  item: ItemRow,
  listing: Listing,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await applyConfirmedIdentifiers(context, context.table.read(item.item_id) ?? item, listing, signal);
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : null;
    if (code === null || isTransientError(error)) throw error;
    context.log('warn', 'the service rejected an identifier', { code });
  }
};

/** The steps that run without the person. All other steps wait for the person. */
export const automaticSteps: Partial<Record<Step, RunStep>> = {
  photos: runPhotosStep,
  draft: runDraftStep,
  upload: runUploadStep,
  line: runLineStep,
  writing: runWritingStep,
};
