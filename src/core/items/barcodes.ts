import type { Listing } from '../../contract/index.ts';
import { type ItemsContext, requireListingId, sendItemRequest } from './itemsContext.ts';
import type { BarcodeView } from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';

/** Returns each barcode on the photos of an item, with the person's choice. */
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

/** The EAN of a book begins with 978 or 979 and is called ISBN. */
const getIdentifierName = ({ value, format }: BarcodeView): string => {
  if (format === 'EAN-13') return /^97[89]/.test(value) ? 'ISBN' : 'EAN';
  return format === 'EAN-8' ? 'EAN' : 'UPC';
};

/** Returns the confirmed barcodes by the name of their item specific. For each name, the first barcode is used. */
export const listConfirmedIdentifiers = (barcodes: readonly BarcodeView[]): Record<string, string> =>
  Object.fromEntries(
    barcodes
      .filter(({ state }) => state === 'confirmed')
      .map((barcode): [string, string] => [getIdentifierName(barcode), barcode.value])
      .reverse(),
  );

const getUsedText = ({ text, text_used }: Pick<ItemRow, 'text' | 'text_used'>): string =>
  text_used === 1 ? (text ?? '') : '';

/** Returns the text that helps the service to generate the listing. */
export const buildGenerationContext = (
  item: Pick<ItemRow, 'note' | 'text' | 'text_used'>,
  identifiers: Record<string, string>,
): string =>
  [item.note.trim(), getUsedText(item), ...Object.entries(identifiers).map(([name, value]) => `${name}: ${value}`)]
    .filter((part) => part !== '')
    .join('\n');

/** Adds confirmed identifiers that the generated listing does not have. `listing` must just have been read. */
export const applyConfirmedIdentifiers = async (
  context: ItemsContext,
  item: ItemRow,
  listing: Listing,
  signal: AbortSignal,
): Promise<void> => {
  const identifiers = listConfirmedIdentifiers(listItemBarcodes(item, context.table.photos(item.item_id)));
  const listingId = requireListingId(item);
  // The service replaces all item specifics, so the existing ones are sent too.
  const there = listing.itemSpecifics ?? {};
  const missing = Object.entries(identifiers).filter(([, value]) => !Object.values(there).includes(value));
  if (missing.length === 0) return;
  const itemSpecifics = { ...there, ...Object.fromEntries(missing) };
  await sendItemRequest(
    context,
    item,
    { route: 'updateListing', input: { params: { listingId }, body: { itemSpecifics } } },
    signal,
  );
};
