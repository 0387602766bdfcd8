import { toShelfKey } from '../base/shelfFields.ts';
import type { Clock } from '../base/ports.ts';
import type { Settings } from '../base/settings.ts';
import { findLabelSku } from './skuPattern.ts';
import { createMessage, type Message } from '../../i18n/message.ts';
import type { ItemsTable, PhotoRow } from '../storage/tables/itemsTable.ts';

type LabelContext = { table: ItemsTable; settings: () => Settings; clock: Clock };

/** Returns the SKU of the label that a photo shows, from the texts of its codes; null if it shows none. */
export const recogniseLabelSku = (
  { table: { shelf }, settings, clock }: LabelContext,
  account: string,
  texts: readonly string[],
): string | null => {
  if (texts.length === 0) return null;
  return findLabelSku(texts, settings().skuPattern, {
    isSku: (sku) => shelf.generated.isTaken(account, sku),
    isPlace: (place) => shelf.hasPlace(account, place),
    at: clock.now(),
  });
};

/** Returns whether a photo is left out of the listing because of its label. The person can use it all the same. */
export const isLabelPhoto = ({ label_sku, choice }: Pick<PhotoRow, 'label_sku' | 'choice'>): boolean =>
  label_sku !== null && choice !== 'in';

const isSameSku = (one: string, other: string | null): boolean =>
  other !== null && toShelfKey(one) === toShelfKey(other);

/**
 * Gives an item the SKU of its first label. It replaces the SKU of an earlier label and a generated SKU, but none that the
 * person typed. If the label leaves the item, its SKU does too. A SKU that the person removed stays removed.
 */
export const assignLabelSku = ({ table, clock }: Pick<LabelContext, 'table' | 'clock'>, itemId: string): void => {
  const item = table.read(itemId);
  if (item === null) return;
  const sku = table.photos(itemId).find(isLabelPhoto)?.label_sku ?? null;
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

/** Says that a photo is not sent, and which SKU its item has if that is not the one of the label. */
export const describeLabelPhoto = ({ label_sku: label }: Pick<PhotoRow, 'label_sku'>, sku: string | null): Message =>
  label === null || isSameSku(label, sku)
    ? createMessage('aside.label')
    : sku === null
      ? createMessage('aside.labelWithoutSku', { label })
      : createMessage('aside.labelDiffers', { label, sku });
