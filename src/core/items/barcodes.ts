import type { Listing } from '../../contract/index.ts';
import { type ItemsContext, requireListingId, requestForItem } from './itemsContext.ts';
import type { BarcodeView } from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';

/** Returns the distinct barcodes on an item's photos, each with the person's choice. */
export const listItemBarcodes = (item: ItemRow, photos: readonly PhotoRow[]): BarcodeView[] => {
  const found = new Map<string, BarcodeView>();
  for (const photo of photos) {
    for (const { value, format } of photo.barcodes) {
      if (found.has(value)) continue;
      const state = item.barcode_choices[value] ?? 'offered';
      found.set(value, { value, format, photoId: photo.photo_id, state });
    }
  }
  return [...found.values()];
};

/** Returns the item specific of a barcode. ISBNs of books are EANs that begin with 978 or 979. */
const getIdentifierName = ({ value, format }: BarcodeView): string => {
  if (format === 'EAN-13') return /^97[89]/.test(value) ? 'ISBN' : 'EAN';
  return format === 'EAN-8' ? 'EAN' : 'UPC';
};

/** Returns the confirmed barcodes by the names of their item specifics. If two share a name, the first is used. */
export const listConfirmedIdentifiers = (barcodes: readonly BarcodeView[]): Record<string, string> =>
  Object.fromEntries(
    barcodes
      .filter(({ state }) => state === 'confirmed')
      .map((barcode): [string, string] => [getIdentifierName(barcode), barcode.value])
      .reverse(),
  );

/** Returns the text file beside the photos if the person ticked it. */
const readUsedText = ({ text, text_used }: Pick<ItemRow, 'text' | 'text_used'>): string =>
  text_used === 1 ? (text ?? '') : '';

/** Returns the context for generating a listing: the note, the ticked text and the confirmed identifiers. */
export const buildGenerationContext = (
  item: Pick<ItemRow, 'note' | 'text' | 'text_used'>,
  identifiers: Record<string, string>,
): string =>
  [item.note.trim(), readUsedText(item), ...Object.entries(identifiers).map(([name, value]) => `${name}: ${value}`)]
    .filter((part) => part !== '')
    .join('\n');

/** Adds confirmed identifiers that are missing from a generated listing; `listing` must be freshly read. */
export const applyConfirmedIdentifiers = async (
  context: ItemsContext,
  item: ItemRow,
  listing: Listing,
  signal: AbortSignal,
): Promise<void> => {
  const identifiers = listConfirmedIdentifiers(listItemBarcodes(item, context.table.photos(item.item_id)));
  const listingId = requireListingId(item);
  // The service replaces all specifics at once, so those added by others must be included.
  const there = listing.itemSpecifics ?? {};
  const missing = Object.entries(identifiers).filter(([, value]) => !Object.values(there).includes(value));
  if (missing.length === 0) return;
  const itemSpecifics = { ...there, ...Object.fromEntries(missing) };
  await requestForItem(
    context,
    item,
    { route: 'updateListing', input: { params: { listingId }, body: { itemSpecifics } } },
    signal,
  );
};
