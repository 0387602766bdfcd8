import type { Listing } from '../../contract/index.ts';
import { type ItemsContext, listingIdOf, request } from './itemsContext.ts';
import type { BarcodeView } from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';

/** The barcodes read on an item's photos, each once, with what the person said of it. */
export const barcodesOf = (item: ItemRow, photos: readonly PhotoRow[]): BarcodeView[] => {
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

/** The name of an identifier among a listing's item specifics: books have ISBNs, which are EANs that begin with 978 or 979. */
const nameOf = ({ value, format }: BarcodeView): string => {
  if (format === 'EAN-13') return /^97[89]/.test(value) ? 'ISBN' : 'EAN';
  return format === 'EAN-8' ? 'EAN' : 'UPC';
};

/** The confirmed barcodes by the names that item specifics have for them; of two of one name the first. */
export const identifiersOf = (barcodes: readonly BarcodeView[]): Record<string, string> =>
  Object.fromEntries(
    barcodes
      .filter(({ state }) => state === 'confirmed')
      .map((barcode): [string, string] => [nameOf(barcode), barcode.value])
      .reverse(),
  );

/** The text file beside the photos, where the person ticked it. */
const usedText = ({ text, text_used }: Pick<ItemRow, 'text' | 'text_used'>): string =>
  text_used === 1 ? (text ?? '') : '';

/** What the writer is told: the person's note, the text that the person ticked, and the identifiers that they confirmed. */
export const contextFor = (
  item: Pick<ItemRow, 'note' | 'text' | 'text_used'>,
  identifiers: Record<string, string>,
): string =>
  [item.note.trim(), usedText(item), ...Object.entries(identifiers).map(([name, value]) => `${name}: ${value}`)]
    .filter((part) => part !== '')
    .join('\n');

/** Puts confirmed identifiers into a written listing, which was just read, where it does not have them. */
export const applyIdentifiers = async (
  context: ItemsContext,
  item: ItemRow,
  listing: Listing,
  signal: AbortSignal,
): Promise<void> => {
  const identifiers = identifiersOf(barcodesOf(item, context.table.photos(item.item_id)));
  const listingId = listingIdOf(item);
  // All specifics are written at once, so what anybody else put there meanwhile has to be among them.
  const there = listing.itemSpecifics ?? {};
  const missing = Object.entries(identifiers).filter(([, value]) => !Object.values(there).includes(value));
  if (missing.length === 0) return;
  const itemSpecifics = { ...there, ...Object.fromEntries(missing) };
  await request(
    context,
    item,
    { route: 'updateListing', input: { params: { listingId }, body: { itemSpecifics } } },
    signal,
  );
};
