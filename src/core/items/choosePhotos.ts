import { formatEnglishText } from '../../i18n/english.ts';
import type { AsideReason } from '../storage/tables/itemRecord.ts';
import type { ItemsTable, PhotoRow } from '../storage/tables/itemsTable.ts';
import { findDuplicatePhotos } from '../photos/findDuplicatePhotos.ts';
import { isLabelPhoto } from '../shelf/labelPhotos.ts';
import { limits, plans, type Standing } from '../../contract/index.ts';

export type PhotoChoice = {
  state: 'ready' | 'aside';
  aside: AsideReason | null;
  duplicate_of: string | null;
  sentence: string | null;
};
type PreparedChoice = Pick<PhotoRow, 'photo_id' | 'name' | 'hash64' | 'choice' | 'label_sku'>;

const goesToListing: PhotoChoice = { state: 'ready', aside: null, duplicate_of: null, sentence: null };

/** The English sentence is for assistants too, so it does not contain the SKU. */
export const createLabelChoice = (): PhotoChoice => ({
  state: 'aside',
  aside: 'label',
  duplicate_of: null,
  sentence: formatEnglishText('aside.label'),
});

const choosePhotosForListing = (photos: readonly PreparedChoice[], cap: number): Map<string, PhotoChoice> => {
  const isComparedPhoto = (photo: PreparedChoice): boolean => photo.choice !== 'aside' && !isLabelPhoto(photo);
  const copyOf = findDuplicatePhotos(photos.map((photo) => (isComparedPhoto(photo) ? photo.hash64 : null)));
  let freePlaces = cap;
  const chosen = photos.map((photo, at): [string, PhotoChoice] => {
    const first = photos[copyOf[at] ?? -1];
    const duplicate_of = first?.photo_id ?? null;
    const createAsideEntry = (why: AsideReason, sentence: string): [string, PhotoChoice] => [
      photo.photo_id,
      { state: 'aside', aside: why, duplicate_of, sentence },
    ];
    if (isLabelPhoto(photo)) return [photo.photo_id, createLabelChoice()];
    if (photo.choice === 'aside') return createAsideEntry('person', formatEnglishText('aside.person'));
    if (first && photo.choice !== 'in')
      return createAsideEntry('duplicate', formatEnglishText('aside.duplicate', { name: first.name }));
    if (freePlaces === 0) return createAsideEntry('over_cap', formatEnglishText('aside.over_cap', { most: cap }));
    freePlaces -= 1;
    return [photo.photo_id, { ...goesToListing, duplicate_of }];
  });
  return new Map(chosen);
};

const isPreparedPhoto = (photo: PhotoRow): boolean => photo.state === 'ready' || photo.state === 'aside';

/** Chooses which prepared photos go to the listing, stores the choice and returns these photos in order. */
export const storeChosenPhotos = ({ table }: { table: ItemsTable }, itemId: string, cap: number): PhotoRow[] => {
  const prepared = table.photos(itemId).filter(isPreparedPhoto);
  const chosen = choosePhotosForListing(prepared, cap);
  const changed = prepared.flatMap((photo) => {
    const choice = chosen.get(photo.photo_id);
    const same = choice?.state === photo.state && choice.aside === photo.aside && choice.sentence === photo.sentence;
    return choice && !(same && choice.duplicate_of === photo.duplicate_of) ? [{ photoId: photo.photo_id, choice }] : [];
  });
  // Thousands of photos over the limit have the same choice.
  const byChoice = Map.groupBy(changed, ({ choice }) => JSON.stringify(choice));
  if (changed.length > 0)
    table.noteTogether(() => {
      for (const same of byChoice.values()) {
        const photoIds = same.map(({ photoId }) => photoId);
        if (same[0]) table.choosePhotos(itemId, photoIds, same[0].choice);
      }
    });
  return prepared.filter((photo) => chosen.get(photo.photo_id)?.state === 'ready');
};

/** Returns how many photos a listing can have under the plan of the person. */
export const getPlanPhotoCap = (standing: Standing | null): number => {
  const code = standing?.plan?.code?.toLowerCase();
  const known = standing?.plan?.photosPerListing ?? plans.find((plan) => plan.code === code)?.photosPerListing;
  return Math.min(known ?? limits.photosPerListing, limits.photosPerListing);
};
