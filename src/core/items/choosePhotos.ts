import { setImmediate as immediate } from 'node:timers/promises';
import { formatEnglishText } from '../../i18n/english.ts';
import { cutIntoSlices } from '../base/slices.ts';
import type { AsideReason } from '../storage/tables/itemRecord.ts';
import type { ItemsTable, PhotoRow } from '../storage/tables/itemsTable.ts';
import { createDuplicateFinder } from '../photos/findDuplicatePhotos.ts';
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

const isComparedPhoto = (photo: PreparedChoice): boolean => photo.choice !== 'aside' && !isLabelPhoto(photo);

/** Creates the function that chooses for one photo after the other whether it goes to the listing. */
const createPhotoChooser = (cap: number) => {
  const findDuplicate = createDuplicateFinder();
  const seen: PreparedChoice[] = [];
  let freePlaces = cap;
  return (photo: PreparedChoice): PhotoChoice => {
    seen.push(photo);
    const first = seen[findDuplicate(isComparedPhoto(photo) ? photo.hash64 : null) ?? -1];
    const duplicate_of = first?.photo_id ?? null;
    const setAside = (aside: AsideReason, sentence: string): PhotoChoice => ({
      ...{ state: 'aside', aside, duplicate_of, sentence },
    });
    if (isLabelPhoto(photo)) return createLabelChoice();
    if (photo.choice === 'aside') return setAside('person', formatEnglishText('aside.person'));
    if (first && photo.choice !== 'in')
      return setAside('duplicate', formatEnglishText('aside.duplicate', { name: first.name }));
    if (freePlaces === 0) return setAside('over_cap', formatEnglishText('aside.over_cap', { most: cap }));
    freePlaces -= 1;
    return { ...goesToListing, duplicate_of };
  };
};

const isPreparedPhoto = (photo: PhotoRow): boolean => photo.state === 'ready' || photo.state === 'aside';

const isSameChoice = (photo: PhotoRow, choice: PhotoChoice): boolean =>
  choice.state === photo.state &&
  choice.aside === photo.aside &&
  choice.sentence === photo.sentence &&
  choice.duplicate_of === photo.duplicate_of;

type ChosenPhoto = { photo: PhotoRow; choice: PhotoChoice };
type ChoiceContext = { table: ItemsTable };

/** Choosing or storing this many photos takes a few milliseconds. */
export const photosPerSlice = 500;

const storeChoices = ({ table }: ChoiceContext, itemId: string, chosen: readonly ChosenPhoto[]): void => {
  // Thousands of photos over the limit have the same choice.
  const byChoice = Map.groupBy(chosen, ({ choice }) => JSON.stringify(choice));
  table.noteTogether(() => {
    for (const same of byChoice.values()) {
      const photoIds = same.map(({ photo }) => photo.photo_id);
      if (same[0]) table.choosePhotos(itemId, photoIds, same[0].choice);
    }
  });
};

/** Yields between slices. Begins again if the photos of the item have changed during the choice. */
const chooseInSlices = function* (context: ChoiceContext, itemId: string, cap: number): Generator<void, PhotoRow[]> {
  const { table } = context;
  for (;;) {
    const all = table.photos(itemId);
    const choose = createPhotoChooser(cap);
    const chosen: ChosenPhoto[] = [];
    for (const photo of all) {
      if (!isPreparedPhoto(photo)) continue;
      if (chosen.length > 0 && chosen.length % photosPerSlice === 0) {
        yield;
        if (table.photos(itemId) !== all) break;
      }
      chosen.push({ photo, choice: choose(photo) });
    }
    if (table.photos(itemId) !== all) continue;
    const changed = chosen.filter(({ photo, choice }) => !isSameChoice(photo, choice));
    for (const [nth, some] of cutIntoSlices(changed, photosPerSlice).entries()) {
      if (nth > 0) yield;
      storeChoices(context, itemId, some);
    }
    return chosen.flatMap(({ photo, choice }) => (choice.state === 'ready' ? [photo] : []));
  }
};

/** Chooses which prepared photos go to the listing, stores the choice and returns these photos in order. */
export const storeChosenPhotos = (context: ChoiceContext, itemId: string, cap: number): PhotoRow[] => {
  const slices = chooseInSlices(context, itemId, cap);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
};

/**
 * Like `storeChosenPhotos`, but other work runs between the slices of thousands of photos. The photos of the item can
 * change between them.
 */
export const storeChosenPhotosInSlices = async (
  context: ChoiceContext,
  itemId: string,
  cap: number,
): Promise<PhotoRow[]> => {
  const slices = chooseInSlices(context, itemId, cap);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await immediate();
  }
};

/** Returns how many photos a listing can have under the plan of the person. */
export const getPlanPhotoCap = (standing: Standing | null): number => {
  const code = standing?.plan?.code?.toLowerCase();
  const known = standing?.plan?.photosPerListing ?? plans.find((plan) => plan.code === code)?.photosPerListing;
  return Math.min(known ?? limits.photosPerListing, limits.photosPerListing);
};
