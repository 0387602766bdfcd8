import type { Listing, Standing, AnswerOf, InputOf, RouteName } from '../../contract/index.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import type { Allowance } from '../service/allowance.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { LostAnswers } from '../service/pacing/lostAnswers.ts';
import type { PhotoWorkers } from '../photos/workers.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { Clock, Log } from '../base/ports.ts';
import type { Perform, Asker } from '../base/request.ts';
import { problem } from '../base/problem.ts';
import type { Settings } from '../base/settings.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { GenerationsTable } from '../storage/tables/generationsTable.ts';
import type { Gate } from '../base/gate.ts';
import type { ArrangementsTable } from '../storage/tables/arrangementsTable.ts';
import type { ItemRow, ItemsTable } from '../storage/tables/itemsTable.ts';
import type { Semaphore } from '../base/semaphore.ts';
import type { Preparing } from './preparing.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import { itemErrorFor } from './itemState.ts';

/** What the steps of an item's way share. */
export type ItemsContext = {
  /** The account that is connected now; throws NOT_CONNECTED. */
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
  /** What holds new steps back. */
  gate: Gate;
  settings: () => Settings;
  preparedDir: string;
  preparing: Preparing;
  /** Bytes that have left of photos that are being put, by their ids. */
  sending: Map<string, number>;
  /** At most five listings are written at a time; the rest wait in line. */
  writingPlaces: Semaphore;
  /** A few items at a time are drafted and uploaded, so that a large drop does not starve the screens. */
  sendingPlaces: Semaphore;
  /** The standing as the service reports it now; also remembered for the window. */
  standing: (signal: AbortSignal) => Promise<Standing>;
  /** The standing that the next writing is judged by; see createWritingStanding. */
  writingStanding: (signal: AbortSignal) => Promise<Standing>;
  allowance: Pick<Allowance, 'cover'>;
  /** How many photos of an item the plan takes, as far as is known now. */
  photoCap: () => number;
  /** The same, read anew where nobody has read it lately. */
  photoCapNow: (signal: AbortSignal) => Promise<number>;
  /** The extras approval that an asker may spend, where there is one. */
  extrasApproval: (by: Asker) => string | null;
  /** Looks again and again whether photos can be read that could not, and has their items go on. */
  watchUnreadable: () => void;
  /** Tells windows that this item changed. */
  touched: (itemId: string) => void;
};

/** One step: takes the item on and answers when it has moved, or throws why it cannot. */
export type RunStep = (context: ItemsContext, item: ItemRow, signal: AbortSignal) => Promise<void>;

/** A request of the way itself. None of these may ever need the person: the ones that do are asked for elsewhere. */
export const request = async <N extends RouteName>(
  context: Pick<ItemsContext, 'account' | 'perform'>,
  item: Pick<ItemRow, 'account' | 'by'>,
  { route, input }: { route: N; input: InputOf<N> },
  signal: AbortSignal,
): Promise<AnswerOf<N>> => {
  // What is one person's never goes out with the key of another.
  if (item.account !== context.account()) throw problem('ACCOUNT_CHANGED');
  const outcome = await context.perform({ by: item.by, internal: true, unattended: true, route, input, signal });
  if (outcome.state === 'pending') throw itemErrorFor('ASKED_AGAIN');
  return outcome.answer as AnswerOf<N>;
};

/** The listing of an item that is past its draft. */
export const listingIdOf = (item: ItemRow): string => {
  if (item.listing_id === null) throw new Error('An item past its draft has a listing.');
  return item.listing_id;
};

/** The listing of an item, as the service has it now. */
export const readListing = (context: ItemsContext, item: ItemRow, signal: AbortSignal): Promise<Listing> =>
  request(context, item, { route: 'readListing', input: { params: { listingId: listingIdOf(item) } } }, signal);

/** Puts an item on its next step. It is on disk before the next request leaves that may change something. */
export const advance = (
  context: ItemsContext,
  item: ItemRow,
  step: Step,
  more: Parameters<ItemsContext['table']['note']>[1] = {},
): void => {
  context.table.note(item.item_id, { step, ...more }, context.clock.now());
  context.touched(item.item_id);
};
