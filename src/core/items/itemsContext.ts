import type { Listing, Standing, AnswerOf, InputOf, RouteName } from '../../contract/index.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import type { Allowance } from '../service/allowance.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { LostAnswers } from '../service/pacing/lostAnswers.ts';
import type { PhotoWorkers } from '../photos/photoWorkers.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { Clock, Log } from '../base/ports.ts';
import type { Perform, Asker } from '../base/request.ts';
import { createProblem } from '../base/problem.ts';
import type { Settings } from '../base/settings.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { GenerationsTable } from '../storage/tables/generationsTable.ts';
import type { Gate } from '../base/gate.ts';
import type { ArrangementsTable } from '../storage/tables/arrangementsTable.ts';
import type { ItemRow, ItemsTable } from '../storage/tables/itemsTable.ts';
import type { Semaphore } from '../base/semaphore.ts';
import type { PhotoPreparation } from './photoPreparation.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import { createItemProblem } from './itemState.ts';

/** The dependencies of the item steps. */
export type ItemsContext = {
  /** The connected account. Throws NOT_CONNECTED. */
  account: () => string;
  table: ItemsTable;
  arrangements: ArrangementsTable;
  listings: ListingsTable;
  generations: GenerationsTable;
  perform: Perform;
  workers: PhotoWorkers;
  photoUploads: PhotoUploads;
  clock: Clock;
  ages: StoredAges;
  pacing: Pacing;
  lostAnswers: LostAnswers;
  log: Log;
  /** Blocks new steps while work is paused. */
  gate: Gate;
  settings: () => Settings;
  preparedDir: string;
  preparing: PhotoPreparation;
  /** The number of bytes sent of each photo that is uploading, by photo id. */
  sentBytes: Map<string, number>;
  /** Limits listings being generated to five at a time; the others wait in line. */
  writingSemaphore: Semaphore;
  /** Limits the items drafted and uploaded at a time, so that a large drop does not starve the screens. */
  sendingSemaphore: Semaphore;
  /** Reads the standing from the service; also updates the one shown in windows. */
  fetchStanding: (signal: AbortSignal) => Promise<Standing>;
  /** Returns the standing to check before the next generation; see createWritingStanding. */
  writingStanding: (signal: AbortSignal) => Promise<Standing>;
  allowance: Pick<Allowance, 'readCoverage'>;
  /** The number of photos per listing that the plan allows, as last known. */
  photoCap: () => number;
  /** The same; reads the standing first if it is stale. */
  readPhotoCap: (signal: AbortSignal) => Promise<number>;
  /** The extras approval that an asker may spend; null when there is none. */
  extrasApproval: (by: Asker) => string | null;
  /** Starts checking whether unreadable photos can be read again; continues their items if so. */
  watchUnreadable: () => void;
  /** Notifies windows that this item has changed. */
  notifyItemChanged: (itemId: string) => void;
};

/** One step of an item: returns after the item has moved on, or throws why it cannot. */
export type RunStep = (context: ItemsContext, item: ItemRow, signal: AbortSignal) => Promise<void>;

/** Sends a request on behalf of an item. It must never need an approval; requests that do go through other code. */
export const requestForItem = async <N extends RouteName>(
  context: Pick<ItemsContext, 'account' | 'perform'>,
  item: Pick<ItemRow, 'account' | 'by'>,
  { route, input }: { route: N; input: InputOf<N> },
  signal: AbortSignal,
): Promise<AnswerOf<N>> => {
  // Data of one account is never sent with the key of another.
  if (item.account !== context.account()) throw createProblem('ACCOUNT_CHANGED');
  const outcome = await context.perform({ by: item.by, internal: true, unattended: true, route, input, signal });
  if (outcome.state === 'pending') throw createItemProblem('ASKED_AGAIN');
  return outcome.answer as AnswerOf<N>;
};

/** Returns the listing id of an item that is past its draft. */
export const requireListingId = (item: ItemRow): string => {
  if (item.listing_id === null) throw new Error('An item past its draft has a listing.');
  return item.listing_id;
};

/** Reads the listing of an item from the service. */
export const readItemListing = (context: ItemsContext, item: ItemRow, signal: AbortSignal): Promise<Listing> =>
  requestForItem(
    context,
    item,
    { route: 'readListing', input: { params: { listingId: requireListingId(item) } } },
    signal,
  );

/** Moves an item to its next step. The step is on disk before the next request that changes something. */
export const advanceItemStep = (
  context: ItemsContext,
  item: ItemRow,
  step: Step,
  more: Parameters<ItemsContext['table']['note']>[1] = {},
): void => {
  context.table.note(item.item_id, { step, ...more }, context.clock.now());
  context.notifyItemChanged(item.item_id);
};
