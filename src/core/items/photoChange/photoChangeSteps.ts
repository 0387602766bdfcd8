import { publishFailpointsAround } from '../../base/failpoints.ts';
import { createProblem, toProblemView } from '../../base/problem.ts';
import { delaysAfterAnswer } from '../../service/pacing/lostAnswers.ts';
import type { ItemRow, PhotoRow } from '../../storage/tables/itemsTable.ts';
import type { PhotoChangeRow, PhotoChangeStage } from '../../storage/tables/photos/photoChangesTable.ts';
import { readItemListing, type ItemsContext } from '../itemsContext.ts';
import { createUnreadableProblem, findItemTrouble } from '../itemState.ts';
import { uploadListingPhotos } from '../uploadStep.ts';
import { compareShownPhotos, getTargetPhotoIds, type ShownPlace } from './comparePhotos.ts';
import { discardNewPhotos, listNewPhotoIds } from './newPhotos.ts';

/** If the service has accepted only some of the photos, the others are sent once more. */
const maxRounds = 2;

type RunPhotoChangeStep = (
  context: ItemsContext,
  item: ItemRow,
  change: PhotoChangeRow,
  signal: AbortSignal,
) => Promise<void>;

/** Stores the next stage. `also` runs in the same transaction. */
export const advancePhotoChange = (
  { table, notifyItemChanged }: ItemsContext,
  { item_id: itemId }: PhotoChangeRow,
  changes: Partial<PhotoChangeRow> & { stage: PhotoChangeStage },
  also: () => void = () => undefined,
): void => {
  publishFailpointsAround(`photo change ${changes.stage}`);
  table.atomically(() => {
    table.photoChanges.change(itemId, changes);
    also();
  });
  notifyItemChanged(itemId);
};

/**
 * Prepares the new photos. If one of them cannot be used and nothing has been sent, the change becomes a draft again,
 * which shows the reason.
 */
const runPreparingStep: RunPhotoChangeStep = async (context, _item, change, signal) => {
  const { table, preparing } = context;
  const unusable: PhotoRow[] = [];
  for (const photoId of getTargetPhotoIds(change)) {
    const result = table.photo(photoId)?.state === 'waiting' ? await preparing.photo(photoId, signal) : 'settled';
    const photo = table.photo(photoId);
    if (photo && (result === 'unreadable' || photo.state === 'refused')) unusable.push(photo);
  }
  const [first] = unusable;
  if (first === undefined) return advancePhotoChange(context, change, { stage: 'checking' });
  if (change.rounds === 0) return advancePhotoChange(context, change, { stage: 'draft' });
  const { message: sentence } = createUnreadableProblem(unusable, false);
  advancePhotoChange(context, change, { stage: 'checking', problem: { sentence } });
};

/** Returns the problem as the change stores and shows it. */
export const toChangeProblem = (error: unknown): NonNullable<PhotoChangeRow['problem']> => {
  const { sentence, says } = toProblemView(error);
  return { sentence, ...(says && { says }) };
};

const runSendingStep: RunPhotoChangeStep = async (context, item, change, signal) => {
  const target = getTargetPhotoIds(change);
  const listMissing = (): PhotoRow[] =>
    target.flatMap((photoId) => {
      const photo = context.table.photo(photoId);
      return photo?.uploaded_at === null && photo.state !== 'waiting' ? [photo] : [];
    });
  const order = new Map(target.map((photoId, index) => [photoId, index]));
  try {
    await uploadListingPhotos(context, item, { order, listMissing }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (findItemTrouble(error) !== null || isConnectionProblem(error)) throw error;
    return advancePhotoChange(context, change, { stage: 'checking', problem: toChangeProblem(error) });
  }
  const isLost = target.some((photoId) => context.table.photo(photoId)?.state === 'waiting');
  advancePhotoChange(context, change, { stage: isLost ? 'preparing' : 'checking' });
};

/** With these problems, the change continues after the account is connected again. */
export const isConnectionProblem = (error: unknown): boolean =>
  ['RECONNECT_NEEDED', 'NOT_CONNECTED', 'ACCOUNT_CHANGED'].includes(toProblemView(error).code);

const applyNewOrder = ({ table, clock }: ItemsContext, { item_id: itemId, before, wished }: PhotoChangeRow): void => {
  for (const photoId of wished) table.changePhoto(photoId, { removed_at: null });
  for (const photoId of before) if (!wished.includes(photoId)) table.changePhoto(photoId, { removed_at: clock.now() });
  const all = table.photos(itemId).map(({ photo_id: photoId }) => photoId);
  table.assignPhotos(itemId, [...wished, ...all.filter((photoId) => !wished.includes(photoId))]);
};

const settleTaken = async (context: ItemsContext, change: PhotoChangeRow, shown: string[]): Promise<void> => {
  const { table, clock } = context;
  if (change.cancelled === 1) return discardCancelledChange(context, change);
  advancePhotoChange(context, change, { stage: 'taken', shown, problem: null }, () => {
    applyNewOrder(context, change);
    table.change(change.item_id, { checked_at: null }, clock.now());
  });
};

const discardCancelledChange = async (context: ItemsContext, change: PhotoChangeRow): Promise<void> => {
  await discardNewPhotos(context, listNewPhotoIds(change));
  context.table.photoChanges.remove(change.item_id);
  context.notifyItemChanged(change.item_id);
};

const startRound = (
  context: ItemsContext,
  change: PhotoChangeRow,
  places: readonly ShownPlace[] | null,
  shown: string[],
): void => {
  // A cancelled change starts its rounds again, but by then photos of it might already be shown.
  const baseline = change.rounds === 0 && change.cancelled === 0 ? shown : change.baseline;
  const wrong = getTargetPhotoIds(change).filter((_, at) => places?.[at]?.isWished !== true);
  advancePhotoChange(context, change, { stage: 'sending', rounds: change.rounds + 1, shown, baseline }, () => {
    for (const photoId of wrong) context.table.changePhoto(photoId, { slot: null, slot_at: null, uploaded_at: null });
  });
};

/** After a crash, photos that the listing already shows are not sent again. */
const continueRound = (context: ItemsContext, change: PhotoChangeRow, places: readonly ShownPlace[]): boolean => {
  const { table, clock } = context;
  const unsent = getTargetPhotoIds(change).flatMap((photoId, at) =>
    table.photo(photoId)?.uploaded_at === null ? [{ photoId, isShown: places[at]?.isWished === true }] : [],
  );
  if (unsent.every(({ isShown }) => isShown)) return false;
  advancePhotoChange(context, change, { stage: 'sending' }, () => {
    for (const { photoId, isShown } of unsent) if (isShown) table.changePhoto(photoId, { uploaded_at: clock.now() });
  });
  return true;
};

type Reading = { shown: string[]; places: ShownPlace[] | null; isInReview: boolean };

const readShownPhotos = async (
  context: ItemsContext,
  item: ItemRow,
  change: PhotoChangeRow,
  signal: AbortSignal,
): Promise<Reading> => {
  const listing = await readItemListing(context, item, signal);
  const shown = (await context.boundPhotos.readFresh(listing)).map(({ sha256 }) => sha256);
  signal.throwIfAborted();
  const places = await compareShownPhotos(context, change, shown, signal);
  return { shown, places, isInReview: listing.status === 'pending_review' };
};

/** Reads the listing until it shows the new photos. Returns the last read. */
const readUntilShown = async (
  context: ItemsContext,
  item: ItemRow,
  change: PhotoChangeRow,
  signal: AbortSignal,
): Promise<Reading> => {
  const hasUnsent = getTargetPhotoIds(change).some((photoId) => context.table.photo(photoId)?.uploaded_at === null);
  const isFirstRead = change.rounds === 0 && change.cancelled === 0;
  const waits = isFirstRead || (hasUnsent && change.problem === null) ? [null] : delaysAfterAnswer;
  // An upload that was not aborted can still change what the listing shows.
  while (context.photoUploads.putting(change.listing_id))
    await context.clock.sleep(context.pacing.getRandomDelayMs('secondReading'), signal);
  let last: Reading | null = null;
  for (const wait of waits) {
    if (wait !== null) await context.clock.sleep(context.pacing.getRandomDelayMs(wait), signal);
    last = await readShownPhotos(context, item, change, signal);
    if (!last.isInReview || areAllWished(last)) break;
  }
  if (last === null) throw createProblem('UNCONFIRMED.unreadUnwatched');
  return last;
};

const areAllWished = ({ places }: Reading): boolean => places?.every(({ isWished }) => isWished) === true;
const areAllFormer = ({ places }: Reading): boolean => places?.every(({ isFormer }) => isFormer) === true;
const areAllKnown = ({ places }: Reading): boolean =>
  places?.every(({ isWished, isFormer }) => isWished || isFormer) === true;

/** One read cannot show that a cancelled change has no effect, so the former photos are sent to every changed place. */
const markPlacesToRestore = (change: PhotoChangeRow, reading: Reading): Reading => {
  if (change.cancelled === 0 || change.rounds > 0 || !reading.isInReview) return reading;
  const { before, wished } = change;
  const places = reading.places?.map((place, at) =>
    wished[at] === before[at] ? place : { ...place, isWished: false },
  );
  return { ...reading, places: places ?? null };
};

/** Reads the photos that the listing shows and decides what happens next. */
const runCheckingStep: RunPhotoChangeStep = async (context, item, change, signal) => {
  const reading = markPlacesToRestore(change, await readUntilShown(context, item, change, signal));
  const { shown, places } = reading;
  if (areAllWished(reading)) return settleTaken(context, change, shown);
  if (!reading.isInReview) return advancePhotoChange(context, change, { stage: 'left', shown });
  const maySend = change.problem === null && change.rounds < maxRounds;
  if (change.rounds === 0 && change.cancelled === 0)
    return areAllKnown(reading)
      ? startRound(context, change, places, shown)
      : advancePhotoChange(context, change, { stage: 'differs', shown });
  if (change.problem === null && places !== null && change.rounds > 0 && continueRound(context, change, places)) return;
  const isIgnored = change.cancelled === 0 && areAllFormer(reading);
  if (isIgnored) return advancePhotoChange(context, change, { stage: 'ignored', shown });
  if (maySend) return startRound(context, change, places, shown);
  advancePhotoChange(context, change, { stage: 'mixed', shown });
};

export const photoChangeSteps: Partial<Record<PhotoChangeStage, RunPhotoChangeStep>> = {
  preparing: runPreparingStep,
  checking: runCheckingStep,
  sending: runSendingStep,
};
