import { findRepeatedPhotos, hasOnlyKnownPhotos } from '../photos/findRepeatedPhotos.ts';
import { itemCallRetentionMs, type ItemCall, type StartedItem } from '../storage/tables/begunCallsTable.ts';
import { isSettled } from './itemState.ts';
import type { ItemsContext } from './itemsContext.ts';
import type { ItemReader } from './itemView.ts';

type Call = Omit<ItemCall, 'wish'>;

/** Returns the name under which the age of a call is measured. */
export const getCallTimeKey = ({ assistantId, key }: Call): string => `call ${assistantId} ${key}`;

/** Creates the searches that recognise a repeated call of an assistant, and repeated photos. */
export const createItemCalls = ({ table, ages, account }: ItemsContext, reads: Pick<ItemReader, 'need' | 'view'>) => ({
  /** Returns the items that already have these photos, by the path of the photo. */
  findRepeatedPhotos: (photos: Parameters<typeof findRepeatedPhotos>[0]): Promise<Map<string, string>> =>
    findRepeatedPhotos(photos, {
      knownSizes: (bytes) => table.originals.knownSizes(account(), bytes),
      itemsOfOriginals: (files) => table.originals.itemsOf(account(), files),
    }),
  /**
   * Returns what a call of an assistant created. Returns null if the call is unknown or too old, or if its answer was
   * delivered and its item is settled.
   */
  begunBy: (call: Call): StartedItem | null => {
    const begun = table.begun.find(call, account());
    if (!begun || ages.ageMs(getCallTimeKey(call), begun.at) >= itemCallRetentionMs) return null;
    return begun.isDelivered && isSettled(reads.need(begun.itemId)) ? null : begun;
  },
  /**
   * Returns the item that a call created, however long ago, if its answer was delivered, it is in review or live, and it
   * has these photos. Returns null after its listing has ended, because the person might want to sell it again.
   */
  findListedItem: async (
    call: Call,
    photos: readonly { name: string; source: string }[],
  ): Promise<StartedItem | null> => {
    const begun = table.begun.find(call, account());
    if (!begun?.isDelivered) return null;
    const { stop, step, photos: own } = reads.view(reads.need(begun.itemId));
    if (stop !== null || !['review', 'live'].includes(step)) return null;
    // The content of a photo that could not be read is unknown.
    const unread = new Set(own.filter(({ state }) => state === 'refused').map(({ name }) => name));
    const readable = photos.filter(({ name }) => !unread.has(name)).map(({ source }) => ({ source, root: null }));
    return (await hasOnlyKnownPhotos(readable, table.originals.hashesOf(begun.itemId))) ? begun : null;
  },
  markCallsDelivered: table.begun.markDelivered,
});
