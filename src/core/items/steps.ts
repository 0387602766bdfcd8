import { rm } from 'node:fs/promises';
import {
  limits,
  plans,
  type AnswerOf,
  type InputOf,
  type Listing,
  type RouteName,
  type Standing,
} from '../../contract/index.ts';
import { putPhoto } from '../service/putPhoto.ts';
import { ServiceError } from '../service/serviceError.ts';
import { Problem } from '../problem.ts';
import type { ItemsContext, RunStep } from './context.ts';
import type { Step } from './item.ts';
import type { ItemRow, PhotoRow } from './itemsTable.ts';
import { stopFor } from './stops.ts';

/** A request of the way itself. None of these may ever need the person: the ones that do are asked for elsewhere. */
const request = async <N extends RouteName>(
  context: ItemsContext,
  item: ItemRow,
  route: N,
  input: InputOf<N>,
  signal: AbortSignal,
): Promise<AnswerOf<N>> => {
  const outcome = await context.perform({ by: item.by, route, input: input, signal });
  if (outcome.state === 'pending') throw stopFor('ASKED_AGAIN');
  return outcome.answer as AnswerOf<N>;
};

const readListing = (context: ItemsContext, item: ItemRow, signal: AbortSignal) =>
  request(context, item, 'readListing', { params: { listingId: listingIdOf(item) } }, signal);

const listingIdOf = (item: ItemRow): string => {
  if (item.listing_id === null) throw new Error('An item past its draft has a listing.');
  return item.listing_id;
};

const advance = (
  context: ItemsContext,
  item: ItemRow,
  step: Step,
  more: Parameters<typeof context.table.change>[1] = {},
): void => {
  context.table.change(item.item_id, { step, ...more }, context.clock.now());
  context.touched(item.item_id);
};

/** Photos: every one gets a quick thumbnail, then is prepared; each is stored as soon as it is there. */
const photos: RunStep = async (context, item, signal) => {
  const { table, workers, preparedDir: outDir } = context;
  const waiting = table.photos(item.item_id).filter((photo) => photo.state === 'waiting');
  const glance = async (photo: PhotoRow) => {
    const seen = await workers.glance({ source: photo.source, outDir }, signal);
    if (seen) table.changePhoto(photo.photo_id, { thumb_path: seen.thumbPath });
    context.touched(item.item_id);
  };
  const prepare = async (photo: PhotoRow) => {
    const made = await workers.prepare(
      { source: photo.source, outDir, longEdgePx: context.settings().longEdgePx },
      signal,
    );
    signal.throwIfAborted();
    table.changePhoto(
      photo.photo_id,
      made.ok
        ? {
            state: 'ready',
            path: made.path,
            thumb_path: made.thumbPath,
            content_type: made.contentType,
            width: made.width,
            height: made.height,
            bytes: made.bytes,
          }
        : { state: 'refused', code: made.code, sentence: made.sentence },
    );
    if (made.ok && photo.owned === 1) await rm(photo.source, { force: true });
    context.touched(item.item_id);
  };
  await Promise.all(waiting.filter((photo) => photo.thumb_path === null).map(glance));
  await Promise.all(waiting.map(prepare));
  if (!table.photos(item.item_id).some((photo) => photo.state === 'ready')) throw stopFor('NO_PHOTOS');
  advance(context, item, 'draft');
};

/** After this long the service no longer knows the key, so a repeat would make a second draft. */
const keyStandsMs = limits.idempotencyMs - 60 * 60_000;

/** Draft: the key and the exact body are on disk before the first call, so that every repeat answers the same draft. */
const draft: RunStep = async (context, item, signal) => {
  const { table, clock } = context;
  if (item.draft_sent_at !== null && clock.now() - item.draft_sent_at > keyStandsMs) throw stopFor('DRAFT_UNKNOWN');
  const marketplaceId = context.settings().marketplaceId;
  const body = item.draft_body ?? {
    quantity: item.quantity,
    ...(item.note.trim() ? { additionalContext: item.note.trim() } : {}),
    ...(marketplaceId ? { marketplaceId } : {}),
  };
  table.change(item.item_id, { draft_body: body, draft_sent_at: item.draft_sent_at ?? clock.now() }, clock.now());
  const headers = { 'idempotency-key': item.idempotency_key };
  const listing = await request(context, item, 'createListing', { headers, body }, signal);
  advance(context, item, 'upload', { listing_id: listing.listingId });
};

/** How many photos the plan takes for one listing; never more than the service's own limit. */
export const photoCap = (standing: Standing | null): number => {
  const code = standing?.plan?.code?.toLowerCase();
  const known = standing?.plan?.photosPerListing ?? plans.find((plan) => plan.code === code)?.photosPerListing;
  return Math.min(known ?? limits.photosPerListing, limits.photosPerListing);
};

/** Photos beyond the plan's number stay here, in the person's order, and say so. */
const setAside = (context: ItemsContext, item: ItemRow, cap: number): PhotoRow[] => {
  const usable = context.table
    .photos(item.item_id)
    .filter((photo) => photo.state === 'ready' || photo.state === 'aside');
  for (const [index, photo] of usable.entries()) {
    const aside = index >= cap;
    if (aside === (photo.state === 'aside')) continue;
    const sentence = aside ? `Your plan takes ${cap} photos a listing. This one stays here.` : null;
    context.table.changePhoto(photo.photo_id, { state: aside ? 'aside' : 'ready', sentence });
  }
  return usable.slice(0, cap);
};

const uploadRounds = 3;
const uploadsAtOnce = 3;
/** A slot that is nearly over is not used: a photo takes its time, too. */
const slotStandsMs = limits.uploadWindowMs - 2 * 60_000;

/** Upload: slots are kept with the time they were given; a slot that is over is asked for anew, a photo that is there is not sent again. */
const upload: RunStep = async (context, item, signal) => {
  const cap = photoCap(await context.standing(signal));
  const chosen = setAside(context, item, cap);
  const order = new Map(chosen.map((photo, index) => [photo.photo_id, index]));
  for (let round = 1; ; round += 1) {
    const missing = context.table
      .photos(item.item_id)
      .filter((photo) => order.has(photo.photo_id) && photo.uploaded_at === null);
    if (missing.length === 0) break;
    await requestSlots(context, item, missing, order, signal);
    const failed = await putAll(context, item, missing, signal);
    if (failed === null) continue;
    if (round >= uploadRounds) throw failed;
    await context.clock.sleep(1_000 * round, signal);
  }
  advance(context, item, 'line');
};

const requestSlots = async (
  context: ItemsContext,
  item: ItemRow,
  missing: PhotoRow[],
  order: Map<string, number>,
  signal: AbortSignal,
): Promise<void> => {
  const now = context.clock.now();
  const without = missing.filter((photo) => photo.slot === null || now - (photo.slot_at ?? 0) > slotStandsMs);
  if (without.length === 0) return;
  const files = without.map((photo) => ({ contentType: typeOf(photo), index: order.get(photo.photo_id) ?? 0 }));
  const slots = await request(
    context,
    item,
    'requestUploads',
    { body: { listingId: listingIdOf(item), files } },
    signal,
  );
  for (const [index, photo] of without.entries()) {
    const slot = slots[index];
    if (!slot) throw new Problem('UPLOAD_SLOTS', 'The service gave fewer upload addresses than photos.');
    context.table.changePhoto(photo.photo_id, { slot, slot_at: now });
  }
};

const typeOf = (photo: PhotoRow) => limits.photoTypes.find((type) => type === photo.content_type) ?? 'image/jpeg';

/** Puts the photos, a few at a time; answers the last failure. A slot whose photo failed is given up. */
const putAll = async (
  context: ItemsContext,
  item: ItemRow,
  missing: PhotoRow[],
  signal: AbortSignal,
): Promise<Error | null> => {
  const line = missing.map((photo) => photo.photo_id);
  let failure: Error | null = null;
  const put = async () => {
    for (let id = line.shift(); id !== undefined; id = line.shift()) {
      const photo = context.table.photo(id);
      if (!photo?.slot || photo.path === null) continue;
      try {
        await putPhoto(
          { path: photo.path, contentType: typeOf(photo), uploadUrl: photo.slot.uploadUrl },
          context.clock,
          signal,
        );
        context.table.changePhoto(id, { uploaded_at: context.clock.now() });
      } catch (error) {
        signal.throwIfAborted();
        context.table.changePhoto(id, { slot: null, slot_at: null });
        failure = error instanceof Error ? error : new Error('A photo could not be put.');
      }
      context.touched(item.item_id);
    }
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, put));
  return failure;
};

const busyWaitMs = 20_000;

/** Line: waits for one of the five places, looks whether the allowance covers it, and has it written, once. */
const line: RunStep = async (context, item, signal) => {
  const { listings, clock } = context;
  const listingId = listingIdOf(item);
  // A writing that was asked for before and is not settled is looked up, never asked for again on a guess.
  if (listings.generation(item.account, listingId) !== null) {
    const now = await readListing(context, item, signal);
    if (now.status !== 'draft') return startWriting(context, item);
    listings.noteGeneration(item.account, listingId, 'not_started', clock.now());
  }
  const extras = extrasFor(context, item, await context.standing(signal));
  if (extras === 'wait') return void (await clock.sleep(busyWaitMs, signal));
  // On disk before it is sent: what is in flight on extras is counted even after a crash.
  context.table.change(item.item_id, { extras_approval: extras }, clock.now());
  const body = extras === null ? {} : { extrasApprovalId: extras };
  try {
    await request(context, item, 'generateListing', { params: { listingId }, body }, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'EXTRAS_APPROVAL_REQUIRED' || error.code === 'BAD_EXTRAS_APPROVAL')
      throw stopFor('WOULD_BE_EXTRA');
    // Five are being written elsewhere with this account: a plain 400 that passes when one of them is done.
    if (error.status === 400 && error.code === 'REFUSED') return void (await clock.sleep(busyWaitMs, signal));
    if (error.status !== 409) throw error;
  }
  startWriting(context, item);
};

const startWriting = (context: ItemsContext, item: ItemRow): void =>
  advance(context, item, 'writing', { writing_since: item.writing_since ?? context.clock.now() });

/**
 * What the next listing is charged to: null for plan and credits, an approval for an extra that the person set aside.
 * `wait` while as many are in flight as the approval covers. Nothing is ever spent on a guess.
 */
const extrasFor = (context: ItemsContext, item: ItemRow, { allowance }: Standing): string | null => {
  const kind = allowance.nextListing?.kind;
  if (kind === 'blocked' || kind === 'unavailable') throw stopFor('ALLOWANCE_USED');
  if (kind !== 'extra' && kind !== 'extras_approval_required') return null;
  const held = context.extrasApproval();
  const remaining = allowance.extras?.approval?.remaining ?? 0;
  if (held === null || remaining === 0) throw stopFor('WOULD_BE_EXTRA');
  return context.table.extrasInFlight(item.account) < remaining ? held : 'wait';
};

/** Writing: polled every 6 seconds until there is something to review or a reason why not. */
const writing: RunStep = async (context, item, signal) => {
  for (;;) {
    const listing = await readListing(context, item, signal);
    if (listing.status !== 'processing') return settleWriting(context, item, listing);
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

const settleWriting = (context: ItemsContext, item: ItemRow, listing: Listing): void => {
  if (listing.status === 'failed')
    throw stopFor(listing.processingErrorCode ?? 'WRITING_FAILED', listing.processingError);
  advance(context, item, stepOfStatus[listing.status]);
};

/** The steps that run by themselves. The others wait for the person. */
export const running: Partial<Record<Step, RunStep>> = { photos, draft, upload, line, writing };
