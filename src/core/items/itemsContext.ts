import type { Listing, Standing, AnswerOf, InputOf, RouteName } from '../../contract/index.ts';
import type { BoundPhotos } from '../photos/boundPhotos.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import type { Allowance } from '../service/allowance.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { LostAnswerTracker } from '../service/pacing/lostAnswers.ts';
import type { PhotoWorkers } from '../photos/photoWorkers.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { Clock, Log } from '../base/ports.ts';
import type { Perform, Asker } from '../base/request.ts';
import { createProblem, toProblemView } from '../base/problem.ts';
import type { Settings } from '../base/settings.ts';
import type { FindDuplicates } from '../listings/duplicates.ts';
import type { DuplicatesTable } from '../storage/tables/listings/duplicatesTable.ts';
import type { ReadListingWarnings } from '../listings/warningReader.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { GenerationsTable } from '../storage/tables/generationsTable.ts';
import type { Gate } from '../base/gate.ts';
import type { ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import type { ArrangementsTable } from '../storage/tables/arrangementsTable.ts';
import type { ItemRow, ItemsTable } from '../storage/tables/itemsTable.ts';
import type { LabelContext } from '../shelf/labelPhotos.ts';
import type { Semaphore } from '../base/semaphore.ts';
import type { BordersQuery, StoredBorders } from './arranging/storedBorders.ts';
import type { PhotoPreparation } from './photoPreparation.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import { createItemProblem } from './itemState.ts';

export type ItemsContext = {
  /** Returns the connected account. Throws `NOT_CONNECTED`. */
  account: () => string;
  table: ItemsTable;
  arrangements: ArrangementsTable;
  listings: ListingsTable;
  readWarnings: ReadListingWarnings;
  findDuplicates: FindDuplicates;
  duplicates: Pick<DuplicatesTable, 'keepDifferent'>;
  approvalsTable: Pick<ApprovalsTable, 'listAddedItems' | 'forgetAddedItem'>;
  generations: GenerationsTable;
  perform: Perform;
  workers: PhotoWorkers;
  photoUploads: PhotoUploads;
  boundPhotos: Pick<BoundPhotos, 'readFresh' | 'getPath' | 'slotOpened'>;
  /** Runs the work as a write to the listing. Throws BEING_DECIDED while an approval of the listing is being sent. */
  runListingWrite: <T>(listingId: string, work: () => Promise<T>) => Promise<T>;
  /** Drops the prompts about a listing, because its photos are being changed. */
  dropPrompts: (listingId: string) => void;
  clock: Clock;
  ages: StoredAgeTracker;
  pacing: Pacing;
  lostAnswers: LostAnswerTracker;
  log: Log;
  gate: Gate;
  settings: () => Settings;
  maySeeShelf: LabelContext['maySeeShelf'];
  preparedDir: string;
  copiesDir: string;
  preparing: PhotoPreparation;
  sentBytes: Map<string, number>;
  /** Limits generations to five at a time. */
  writingSemaphore: Semaphore;
  /** Limits how many items are uploaded at a time, so that many photos do not slow down the windows. */
  sendingSemaphore: Semaphore;
  fetchStanding: (signal: AbortSignal) => Promise<Standing>;
  writingStanding: (signal: AbortSignal) => Promise<Standing>;
  allowance: Pick<Allowance, 'readCoverage'>;
  photoCap: () => number;
  readPhotoCap: (signal: AbortSignal) => Promise<number>;
  extrasApproval: (by: Asker) => string | null;
  watchUnreadable: () => void;
  /** Estimates the borders between stored photos in a thread. Resolves to null if the signal aborts. */
  estimateBorders: (query: BordersQuery, signal: AbortSignal) => Promise<StoredBorders | null>;
  arrangeInTurn: <T>(act: () => Promise<T>) => Promise<T>;
  /** Groups the photos of a drop in the background if all of them are prepared. */
  groupDrop: (dropId: string) => void;
  /** Tells the windows to read the items again. */
  notifyWindows: () => void;
  /** Records the change of an item, and tells the windows. */
  notifyItemChanged: (itemId: string) => void;
};

/**
 * Runs one step of an item and stores the next step. If no next step is stored, the same step runs again. Rejects if
 * the step fails.
 */
export type RunStep = (context: ItemsContext, item: ItemRow, signal: AbortSignal) => Promise<void>;

/** Sends a request for an item. Throws if the request needs an approval. */
export const sendItemRequest = async <N extends RouteName>(
  context: Pick<ItemsContext, 'account' | 'perform'>,
  item: Pick<ItemRow, 'account' | 'by'>,
  { route, input }: { route: N; input: InputOf<N> },
  signal: AbortSignal,
): Promise<AnswerOf<N>> => {
  // Data of one account must never be sent with the key of another account.
  if (item.account !== context.account()) throw createProblem('ACCOUNT_CHANGED');
  const outcome = await context.perform({ by: item.by, internal: true, unattended: true, route, input, signal });
  if (outcome.state === 'pending') throw createItemProblem('ASKED_AGAIN');
  return outcome.answer as AnswerOf<N>;
};

/** Throws if the item has no listing. */
export const requireListingId = (item: ItemRow): string => {
  if (item.listing_id === null) throw new Error('An item past its draft has a listing.');
  return item.listing_id;
};

/** Reads the listing of an item from the service. */
export const readItemListing = (context: ItemsContext, item: ItemRow, signal: AbortSignal): Promise<Listing> =>
  sendItemRequest(
    context,
    item,
    { route: 'readListing', input: { params: { listingId: requireListingId(item) } } },
    signal,
  );

/** Stores the next step of an item. The write is on disk before the next request that changes something. */
export const advanceItemStep = (
  context: ItemsContext,
  item: ItemRow,
  step: Step,
  more: Parameters<ItemsContext['table']['note']>[1] = {},
): void => {
  context.table.note(item.item_id, { step, ...more }, context.clock.now());
  context.notifyItemChanged(item.item_id);
};

/** Returns how long a failed step waits before it runs again, in ms. */
export const getRetryPauseMs = ({ pacing }: Pick<ItemsContext, 'pacing'>, error: unknown, failures: number): number =>
  Math.max(pacing.localPauseMs(failures), (toProblemView(error).retryAfterS ?? 0) * 1_000);
