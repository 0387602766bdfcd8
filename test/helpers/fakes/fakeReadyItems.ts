import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { fakeItems } from './fakeData.ts';

/** Returns a copy of an item with its own ids; its photos look the same. */
export const copyItem = ({ itemId, listingId, photos }: ItemView, at: number) => ({
  itemId: `${itemId}-${at}`,
  listingId: listingId && `${listingId}-${at}`,
  photos: photos.map((photo) => ({ ...photo, photoId: `${photo.photoId}-${at}` })),
});

/** Creates items that can be published together: some free, some in euros, every tenth without a weight. */
export const createReadyItems = (count: number): ItemView[] =>
  Array.from({ length: count }, () => fakeItems()).flatMap(([base], at) => {
    if (!base) return [];
    const title = `${['Red fox figurine', 'Film camera', 'Paperback novel', 'Running shoes'][at % 4]} no. ${at + 1}`;
    return {
      ...base,
      ...copyItem({ ...base, itemId: 'ready' }, at),
      listingId: `lst_ready-${at}`,
      name: `folder ${at + 1}`,
      title,
    };
  });

/** Different remarks for each of the items to check. */
const guessedMore: Readonly<Record<string, (item: ItemView) => Partial<ItemView>>> = {
  fox: ({ photos }) => ({
    overCap: 1,
    photos: photos.map((photo, at) => {
      const sentence = 'This photo looks blurred. A sharp one sells better.';
      if (at === 1) return { ...photo, warnings: [{ code: 'blurred' as const, sentence }] };
      return at === 4 ? { ...photo, aside: 'over_cap' as const } : photo;
    }),
  }),
  camera: ({ photos }) => ({
    photos: photos.map((photo, at) =>
      at === 2
        ? { ...photo, state: 'aside', aside: 'duplicate', duplicateOf: 'camera-0', sentence: 'A copy of another.' }
        : photo,
    ),
  }),
  book: ({ photos }) => ({
    photos: photos.map((photo, at) =>
      at === 0 ? { ...photo, state: 'aside', aside: 'label', sentence: 'Label photo, not sent.' } : photo,
    ),
    barcodes: [{ value: '9780306406157', format: 'EAN-13', photoId: 'book-1', state: 'offered' }],
  }),
};

/** Returns items that were grouped automatically and wait for the person. */
export const createGuessedItems = (): ItemView[] =>
  Object.entries(guessedMore).flatMap(([name, more]) => {
    const base = fakeItems().find(({ itemId }) => itemId === name);
    if (!base) return [];
    const guess = { ...base, step: 'arranging' as const, title: null, listingId: null };
    return { ...guess, progress: null, reviewReason: 'grouped' as const, arrangeable: true, ...more(base) };
  });

/**
 * Creates a day's photos grouped into items: five per item, 3 s apart, with a longer pause between items; every tenth
 * pause is hardly longer than the others, so it is doubtful.
 */
export const createSheetItems = (count: number): ItemView[] =>
  Array.from({ length: count }, () => createGuessedItems()[1]).flatMap((base, nth) => {
    const [like] = base?.photos ?? [];
    if (!base || !like) return [];
    const beginsAt = Date.UTC(2026, 4, 18, 12) + nth * 150_000 - (nth % 10 === 9 ? 134_000 : 0);
    const photos = Array.from({ length: 5 }, (_, at) => {
      const photoId = `sheet${nth}-${at}`;
      const thumbUrl = `/photos/${photoId}/thumb`;
      const number = 1000 + nth * 5 + at;
      return { ...like, photoId, thumbUrl, name: `IMG_${number}.jpg`, takenAt: beginsAt + at * 3_000 };
    });
    return { ...base, itemId: `sheet${nth}`, name: photos[0]?.name ?? '', photos };
  });
