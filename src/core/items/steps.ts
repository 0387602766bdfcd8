import { randomUUID } from 'node:crypto';
import { recordOf } from '../base/json.ts';
import { Problem } from '../base/problem.ts';
import { startsByLooks } from './contactSheet.ts';
import { makeItemLike, nameOfPart, placePhotos, recordChange } from './arranging.ts';
import { type ItemsContext, type RunStep, advance, listingIdOf, readListing, request } from './itemsContext.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { limits, type Listing, type Standing } from '../../contract/index.ts';
import { settlePhotos } from './choosePhotos.ts';
import { itemErrorFor, unreadableError } from './itemState.ts';
import { itemStarts } from '../photos/splitGroups.ts';
import { nameOfWriting, readingWaits } from '../service/pacing/lostAnswers.ts';
import { isTransient, ServiceError } from '../service/serviceError.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import { applyIdentifiers, barcodesOf, contextFor, identifiersOf } from './barcodes.ts';
import { dropCopies, uploadStep } from './uploadStep.ts';
import { codeIn, sentenceIn } from '../../contract/untrusted.ts';

/**
 * Splits an item of guessed photos where barcodes or sheets of paper plainly begin new ones, else where the photos look as
 * if they showed something else; the person can take it back. Not when the person has arranged its photos already. The new
 * items wait for the person's look as this one does.
 */
const separateItems = (context: ItemsContext, item: ItemRow): void => {
  const { table } = context;
  if (item.guessed !== 1) return;
  const photos = table.photos(item.item_id);
  const marked = itemStarts(photos.map(({ barcodes, sheet }) => ({ barcodes, sheet: sheet === 1 })));
  const hasMarks = marked.length > 1;
  const starts = hasMarks ? marked : startsByLooks(context, item.item_id);
  if (starts.length < 2) return;
  recordChange(context, hasMarks ? 'splitAtMarks' : 'splitByLooks', [item.item_id], () =>
    starts.slice(1).map((from, index) => {
      const part = photos.slice(from, starts[index + 2]);
      const made = makeItemLike(context, item, nameOfPart(context, item, part[0]));
      placePhotos(context, made, part);
      table.change(made, { step: 'arranging' }, context.clock.now());
      context.touched(made);
      return made;
    }),
  );
};

/** Shrunk photos lose small barcodes; what was not shrunk has been read in full already. */
const wasShrunk = (photo: PhotoRow, longEdgePx: number): boolean =>
  Math.max(photo.width ?? 0, photo.height ?? 0) >= longEdgePx;

/**
 * Looks for barcodes on the originals of an item on whose prepared photos there are none, one photo after the other until
 * one is found. Goes on behind everything else, and gives up without a word: the item does not wait for it.
 */
const readFullSizeBarcodes = async (context: ItemsContext, itemId: string, signal: AbortSignal): Promise<void> => {
  const { table, workers } = context;
  const photos = table.photos(itemId).filter((photo) => photo.state === 'ready');
  if (photos.some(({ barcodes }) => barcodes.length > 0)) return;
  const { longEdgePx } = context.settings();
  for (const { photo_id, source, root } of photos
    .filter((photo) => wasShrunk(photo, longEdgePx))
    .slice(0, limits.photosPerListing)) {
    const barcodes = await workers.readBarcodes({ source, root }, signal).catch(() => null);
    if (barcodes === null) return;
    const now = table.photo(photo_id);
    if (barcodes.length === 0 || !now) continue;
    table.notePhoto(photo_id, { barcodes });
    return context.touched(now.item_id);
  }
};

/**
 * Why an item of the person waits for a look at its photos, where nothing else holds it: the plan leaves some of them here
 * unasked, or most of them cannot be used, so a listing would be spent on what is left. Null once the person had it go on.
 */
const holdFor = ({ by, guessed, hold }: ItemRow, photos: readonly PhotoRow[]): ItemRow['hold'] => {
  if (by.kind !== 'person' || guessed !== 0 || hold !== null) return null;
  if (photos.some(({ aside }) => aside === 'over_cap')) return 'over_cap';
  const unusable = photos.filter(({ state }) => state === 'refused').length;
  return unusable * 2 > photos.length ? 'unusable' : null;
};

/** Prepares all photos of an item; answers those that cannot be read where they lie now. */
const prepareAll = async (context: ItemsContext, itemId: string, signal: AbortSignal): Promise<PhotoRow[]> => {
  const unreadable = new Set<string>();
  const waiting = () => context.table.photos(itemId).filter(({ state }) => state === 'waiting');
  for (;;) {
    const next = waiting().filter(({ photo_id: id }) => !unreadable.has(id));
    if (next.length === 0) return waiting();
    await Promise.all(
      next.map(async ({ photo_id: id }) => {
        if ((await context.preparing.photo(id, signal)) === 'unreadable') unreadable.add(id);
      }),
    );
  }
};

/**
 * Photos: all are prepared, each stored as soon as it is there. The person may arrange them meanwhile, so the photos are
 * looked at anew until none is left to prepare. One that cannot be read has the item wait: nothing is written without it
 * unless the person says so. What was put together by a guess then waits for the person's look.
 */
const photosStep: RunStep = async (context, item, signal) => {
  const { table } = context;
  const itemId = item.item_id;
  const unreadable = await prepareAll(context, itemId, signal);
  if (unreadable.length > 0) {
    context.watchUnreadable();
    throw unreadableError(unreadable, table.photos(itemId).length > unreadable.length);
  }
  const now = table.read(itemId);
  if (now?.step !== 'photos') return;
  settlePhotos(context, itemId, context.photoCap() - now.photos_from);
  if (!table.photos(itemId).some((photo) => photo.state === 'ready')) throw itemErrorFor('NO_PHOTOS');
  separateItems(context, now);
  const hold = holdFor(now, table.photos(itemId));
  if (hold !== null) return advance(context, item, 'arranging', { hold, guessed: 2 });
  readFullSizeBarcodes(context, itemId, signal).catch(() => context.log('warn', 'a barcode could not be kept'));
  advance(context, item, now.guessed === 0 ? 'draft' : 'arranging');
};

/** The key that a draft is asked for with; another one begins anew. */
const draftOf = ({ idempotency_key: key }: ItemRow): string => `draft ${key}`;
/** After this long the service no longer knows the key, so a repeat would make a second draft. */
const keyStandsMs = limits.idempotencyMs - 60 * 60_000;

/**
 * Why no draft was made: the service refused it, and the template that it was to begin with is not there. The next try is
 * another request, with a key of its own. Any other error stays what it is.
 */
const templateIsGone = async (
  context: ItemsContext,
  item: ItemRow,
  error: unknown,
  signal: AbortSignal,
): Promise<never> => {
  const { template_id: templateId } = item;
  if (!(error instanceof ServiceError) || error.effect !== 'refused' || !templateId) throw error;
  const listed = await request(context, item, { route: 'listTemplates', input: {} }, signal).catch(() => null);
  const { templates } = recordOf(listed);
  const holds = (one: unknown): boolean => [recordOf(one)['templateId'], recordOf(one)['id']].includes(templateId);
  if (!Array.isArray(templates) || templates.some(holds)) throw error;
  const anew = { draft_body: null, draft_sent_at: null, idempotency_key: randomUUID() };
  context.table.note(item.item_id, anew, context.clock.now());
  throw itemErrorFor('TEMPLATE_GONE');
};

/** Draft: the key and the exact body are on disk before the first call leaves, so that every repeat answers the same draft. */
const draft: RunStep = async (context, { item_id: itemId }, signal) => {
  const { table, clock, ages } = context;
  // It may have waited for its place, and the person may have changed it meanwhile.
  const item = table.read(itemId);
  if (!item) return;
  if (item.listing_id !== null) return reuseDraft(context, item, signal);
  if (item.draft_sent_at !== null && ages.ageMs(draftOf(item), item.draft_sent_at) > keyStandsMs)
    throw itemErrorFor('DRAFT_UNKNOWN');
  const { marketAccountId, marketplaceId: usualSite } = context.settings();
  const marketplaceId = item.marketplace_id ?? usualSite;
  const additionalContext = contextFor(item, identifiersOf(barcodesOf(item, table.photos(item.item_id))));
  const body = item.draft_body ?? {
    quantity: item.quantity,
    ...(additionalContext === '' ? {} : { additionalContext }),
    ...(marketplaceId ? { marketplaceId } : {}),
    ...(marketAccountId ? { marketAccountId } : {}),
    ...(item.listing_language ? { listingLanguage: item.listing_language } : {}),
    ...(item.template_id === null ? {} : { templateId: item.template_id || null }),
  };
  if (item.draft_sent_at === null) ages.note(draftOf(item));
  table.note(item.item_id, { draft_body: body, draft_sent_at: item.draft_sent_at ?? clock.now() }, clock.now());
  const headers = { 'idempotency-key': item.idempotency_key };
  const { listingId, status } = await request(
    context,
    item,
    { route: 'createListing', input: { headers, body } },
    signal,
  ).catch((error: unknown) => templateIsGone(context, item, error, signal));
  // After going back to an older copy of the data, the draft of this key may have come further already.
  advance(context, item, status === 'draft' ? 'upload' : stepOfStatus[status], { listing_id: listingId });
};

/** Whether a draft would keep photos that were taken out: the service has no way to remove one. */
const keepsOldPhotos = ({ imageUrls }: Pick<Listing, 'imageUrls'>, from: number, chosen: number): boolean =>
  from + chosen < (imageUrls?.length ?? 0);

/** The draft that is there takes the photos; where it would keep some that were taken out, another one takes its place. */
const reuseDraft: RunStep = async (context, item, signal) => {
  const { table, clock } = context;
  const chosen = table.photos(item.item_id).filter(({ state }) => state === 'ready').length;
  const isKept = !keepsOldPhotos(await readListing(context, item, signal), item.photos_from, chosen);
  if (isKept) return advance(context, item, 'upload');
  const fresh = { listing_id: null, idempotency_key: randomUUID(), draft_sent_at: null };
  table.note(item.item_id, fresh, clock.now());
};

/** Line: waits for one of the five places, looks whether the allowance covers it, and has it written, once. */
const line: RunStep = async (context, item, signal) => {
  const { generations, clock, pacing } = context;
  const listingId = listingIdOf(item);
  // A writing that was asked for before and is not settled is looked up, never asked for again on a guess.
  const before = generations.state(item.account, listingId);
  if (before !== null) {
    const now = await readListing(context, item, signal);
    if (now.status !== 'draft') return startWriting(context, item);
    if (!(await neverBegan(context, item, signal))) return;
    // One that had begun is a draft again as it was taken back: another writing is asked about.
    if (before !== 'started') generations.note(item.account, listingId, 'not_started', { at: clock.now() });
  }
  const extras = extrasFor(context, item, await context.writingStanding(signal));
  if (extras === 'wait' || (extras === null && context.allowance.cover() === 'used'))
    return clock.sleep(pacing.draw('writingPlace'), signal);
  // On disk before it leaves: what is in flight on extras is counted even after a crash.
  if (extras !== item.extras_approval) context.table.note(item.item_id, { extras_approval: extras }, clock.now());
  const body = extras === null ? {} : { extrasApprovalId: extras };
  try {
    await request(context, item, { route: 'generateListing', input: { params: { listingId }, body } }, signal);
  } catch (error) {
    // Another one left first, or it waited long: it is judged anew.
    if (error instanceof Problem && error.code === 'STANDING_UNKNOWN') return;
    if (!(error instanceof ServiceError)) throw error;
    if (error.effect === 'unclear') context.lostAnswers.note(writingOf(item), error);
    if (error.code === 'EXTRAS_APPROVAL_REQUIRED' || error.code === 'BAD_EXTRAS_APPROVAL')
      throw itemErrorFor('WOULD_BE_EXTRA');
    // Five are being written elsewhere with this account: a plain 400 that passes when one of them is done.
    if (error.status === 400 && error.code === 'REFUSED') return clock.sleep(pacing.draw('writingPlace'), signal);
    if (error.status !== 409) throw error;
  }
  startWriting(context, item);
};

const writingOf = (item: ItemRow): string => nameOfWriting(item.account, listingIdOf(item));

/** Whether a writing that was asked for did not begin, as far as readings tell; false where it is to be looked at anew. */
const neverBegan = async (context: ItemsContext, item: ItemRow, signal: AbortSignal): Promise<boolean> => {
  const { clock, generations, pacing, lostAnswers } = context;
  const sentAt = generations.unansweredSince(item.account, listingIdOf(item));
  if (sentAt === null) return true;
  // Its time begins now, also where it is asked for only after the readings.
  lostAnswers.isOver(writingOf(item), sentAt);
  for (const wait of readingWaits) {
    await clock.sleep(pacing.draw(wait), signal);
    if ((await readListing(context, item, signal)).status !== 'draft') return false;
  }
  return lostAnswers.isReadable(writingOf(item), sentAt);
};

const startWriting = (context: ItemsContext, item: ItemRow): void =>
  advance(context, item, 'writing', { writing_since: item.writing_since ?? context.clock.now() });

/**
 * What the next listing is charged to: null for plan and credits, an approval for an extra that the person set aside.
 * `wait` while as many are in flight as the approval covers. Nothing is ever spent on a guess.
 */
const extrasFor = (context: ItemsContext, item: ItemRow, { allowance }: Standing): string | null => {
  const kind = allowance.nextListing?.kind;
  if (kind === 'blocked' || kind === 'unavailable') throw itemErrorFor('ALLOWANCE_USED');
  if (kind !== 'extra' && kind !== 'extras_approval_required') return null;
  const held = context.extrasApproval(item.by);
  const remaining = allowance.extras?.approval?.remaining ?? 0;
  if (held === null || remaining === 0) throw itemErrorFor('WOULD_BE_EXTRA');
  return context.table.extrasInFlight(item.account) < remaining ? held : 'wait';
};

/** Writing: polled every 6 seconds until there is something to review or a reason why not. */
const writing: RunStep = async (context, item, signal) => {
  for (;;) {
    const listing = await readListing(context, item, signal);
    if (listing.status !== 'processing') return settleWriting(context, item, listing, signal);
    await context.clock.sleep(limits.pollMs.usual, signal);
    context.touched(item.item_id);
  }
};

/** Where a listing's status puts its item. */
export const stepOfStatus: Record<Listing['status'], Step> = {
  draft: 'line',
  processing: 'writing',
  pending_review: 'review',
  failed: 'writing',
  published: 'live',
  sold: 'live',
  ended: 'ended',
};

const settleWriting = async (
  context: ItemsContext,
  item: ItemRow,
  listing: Listing,
  signal: AbortSignal,
): Promise<void> => {
  if (listing.status === 'failed')
    throw itemErrorFor(codeIn(listing.processingErrorCode) ?? 'WRITING_FAILED', sentenceIn(listing.processingError));
  if (listing.status === 'pending_review') await identify(context, item, listing, signal);
  // Until here the photos may still be exchanged, and edited from their originals.
  await dropCopies(context, item);
  advance(context, item, stepOfStatus[listing.status]);
};

/** What the person confirmed while it was being written is put in; a listing that does not take it is reviewed without. */
const identify = async (context: ItemsContext, item: ItemRow, listing: Listing, signal: AbortSignal): Promise<void> => {
  try {
    await applyIdentifiers(context, context.table.read(item.item_id) ?? item, listing, signal);
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : null;
    if (code === null || isTransient(error)) throw error;
    context.log('warn', 'an identifier was not taken', { code });
  }
};

/** The steps that run by themselves. The others wait for the person. */
export const running: Partial<Record<Step, RunStep>> = {
  photos: photosStep,
  draft,
  upload: uploadStep,
  line,
  writing,
};
