import { toShelfKey } from '../base/shelfFields.ts';
import type { Clock } from '../base/ports.ts';
import type { Asker } from '../base/request.ts';
import type { Settings } from '../base/settings.ts';
import { findLabelSku, findPossibleLabel, severalLabels } from './skuPattern.ts';
import { createMessage, type Message } from '../../i18n/message.ts';
import type { ItemsTable, PhotoRow } from '../storage/tables/itemsTable.ts';

/** `maySeeShelf` tells the person and assistants with the right `shelf` from other assistants. */
export type LabelContext = {
  table: ItemsTable;
  settings: () => Settings;
  clock: Clock;
  maySeeShelf: (by: Asker) => boolean;
};

type PhotoOwner = { account: string; by: Asker };

/**
 * Returns the SKU of the label that a photo shows, from the texts of its codes; null if it shows none. An asker without
 * the right `shelf` could learn from a recognised label that an SKU is known, so all its codes count as labels.
 */
export const recogniseLabelSku = (
  { table: { shelf }, settings, clock, maySeeShelf }: LabelContext,
  { account, by }: PhotoOwner,
  texts: readonly string[],
): string | null => {
  if (texts.length === 0) return null;
  if (!maySeeShelf(by)) return findPossibleLabel(texts);
  return findLabelSku(texts, settings().skuPattern, {
    isSku: (sku) => shelf.generated.isTaken(account, sku),
    isPlace: (place) => shelf.hasPlace(account, place),
    at: clock.now(),
  });
};

/**
 * Looks for labels again before the photos of an item are chosen, because the person may have put the SKU or the place
 * of a label on the shelf after the photo was prepared.
 */
export const recogniseLabelsAgain = (context: LabelContext, itemId: string): void => {
  const { table } = context;
  const item = table.read(itemId);
  if (item === null) return;
  for (const { photo_id: photoId, label_sku: before, label_texts: texts } of table.photos(itemId)) {
    const label_sku = before ?? recogniseLabelSku(context, item, texts);
    if (label_sku !== before) table.changePhoto(photoId, { label_sku });
  }
};

/** Returns whether a photo is left out of the listing because of its label. The person can still include it. */
export const isLabelPhoto = ({ label_sku, choice }: Pick<PhotoRow, 'label_sku' | 'choice'>): boolean =>
  label_sku !== null && choice !== 'in';

const isSameSku = (one: string, other: string | null): boolean =>
  other !== null && toShelfKey(one) === toShelfKey(other);

/**
 * Gives an item the SKU of its first label. It replaces the SKU of an earlier label and a generated SKU, but not one
 * that the person typed. If the photo of the label leaves the item, the item loses that SKU. An SKU that the person
 * removed stays removed.
 */
export const assignLabelSku = ({ table, clock }: Pick<LabelContext, 'table' | 'clock'>, itemId: string): void => {
  const item = table.read(itemId);
  if (item === null) return;
  const hasSingleSku = (photo: PhotoRow): boolean => isLabelPhoto(photo) && photo.label_sku !== severalLabels;
  const sku = table.photos(itemId).find(hasSingleSku)?.label_sku ?? null;
  if (sku === item.label_sku) return;
  const at = clock.now();
  table.atomically(() => {
    const row = table.shelf.open(item.account, { itemId, listingId: item.listing_id }, at);
    const current = row.fields.sku;
    const isReplaceable =
      current === null || current === item.label_sku || table.shelf.generated.frameOf(item.account, current) !== null;
    if (isReplaceable && current !== sku) table.shelf.change(row, { sku }, at);
    table.change(itemId, { label_sku: sku }, at);
  });
};

/** Says that the photo is not sent. If the SKU of its item is not the one of the label, also names the SKU. */
export const describeLabelPhoto = ({ label_sku: label }: Pick<PhotoRow, 'label_sku'>, sku: string | null): Message =>
  label === null || label === severalLabels || isSameSku(label, sku)
    ? createMessage('aside.label')
    : sku === null
      ? createMessage('aside.labelWithoutSku', { label })
      : createMessage('aside.labelDiffers', { label, sku });
