import { randomUUID } from 'node:crypto';
import { problem } from '../base/problem.ts';
import type { ItemsContext } from './context.ts';
import { type ChangeName, arrangeableSteps } from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';

/** Whether the photos of an item may still be arranged: until the first of them has a place at the service. */
export const isArrangeable = (item: ItemRow, photos: readonly PhotoRow[]): boolean =>
  arrangeableSteps.some((step) => step === item.step) &&
  photos.every(({ slot, uploaded_at }) => slot === null && uploaded_at === null);

/** Throws TOO_LATE for an item whose photos are at the service. */
export const needArrangeable = ({ table }: ItemsContext, item: ItemRow): void => {
  if (isArrangeable(item, table.photos(item.item_id))) return;
  throw problem('TOO_LATE.photos');
};

/** Changes items and photos in one go, and keeps what there was before under a label, so that it can be taken back. */
export const recordChange = (
  { table, arrangements, clock, account }: ItemsContext,
  label: ChangeName,
  itemIds: readonly string[],
  act: () => string[],
): void =>
  table.atomically(() => {
    const was = arrangements.look(itemIds);
    const made = act();
    arrangements.push(account(), label, clock.now(), { ...was, made });
  });

/** A new item like another one, without photos yet. Answers its id. */
export const makeItemLike = ({ table, clock }: ItemsContext, like: ItemRow, name: string): string => {
  const itemId = `it_${randomUUID()}`;
  const { account, by } = like;
  const guessed = like.guessed !== 0;
  const wishes = { quantity: 1, marketplaceId: like.marketplace_id, listingLanguage: like.listing_language };
  const own = { idempotencyKey: randomUUID(), at: clock.now() };
  table.add({ itemId, account, name, note: '', by, guessed, ...own, ...wishes }, []);
  return itemId;
};

/** Puts photos into an item in this order; `photos` are all that the item then has. */
export const placePhotos = ({ table }: ItemsContext, itemId: string, photos: readonly { photo_id: string }[]): void => {
  for (const [position, { photo_id }] of photos.entries()) table.changePhoto(photo_id, { item_id: itemId, position });
};
