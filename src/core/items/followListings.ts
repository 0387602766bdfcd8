import type { Listing } from '../../contract/index.ts';
import type { Changes } from './changes.ts';
import type { ItemsContext } from './context.ts';
import { stopped } from './itemErrors.ts';
import type { ItemRunner } from './itemRunner.ts';
import { running, stepOfStatus } from './steps.ts';

/** What following the listings needs of the items and of what has them go on. */
export type FollowContext = {
  context: ItemsContext;
  runner: Pick<ItemRunner, 'start' | 'isOn'>;
  changes: Pick<Changes, 'note'>;
};

/** Follows what a read of the listing shows, wherever it was read. */
export const followListing = ({ context, runner, changes }: FollowContext, listing: Listing): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listing.listingId);
  if (!item) return;
  changes.note(item.item_id);
  const step = stepOfStatus[listing.status];
  const overtaken = step === 'live' || step === 'ended';
  const resting = !runner.isOn(item.item_id) && item.stop?.kind !== 'cancelled' && listing.status !== 'failed';
  if ((overtaken || (resting && listing.status !== 'draft')) && (item.step !== step || item.stop !== null)) {
    table.change(item.item_id, { step, stop: null }, clock.now());
    if (running[step]) runner.start(item.item_id);
    context.touched(item.item_id);
  }
};

/** Follows what is known here of listings that have come further than their items. */
export const catchUpWithListings = (parts: FollowContext): void => {
  const { table, account, listings } = parts.context;
  for (const listingId of table.behindTheirListings(account())) {
    const listing = listings.read(account(), listingId);
    if (listing) followListing(parts, listing);
  }
};

/** The listing is gone at the service: its item says so and keeps the photos. */
export const markListingDeleted = ({ context }: FollowContext, listingId: string): void => {
  const { table, clock, account } = context;
  const item = table.ofListing(account(), listingId);
  if (!item) return;
  table.change(item.item_id, { stop: stopped('DELETED') }, clock.now());
  context.touched(item.item_id);
};
