import { formatEnglishText } from '../../i18n/english.ts';
import type { AsideReason } from '../storage/tables/itemRecord.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './itemsContext.ts';
import { limits, plans, type Standing } from '../../contract/index.ts';

/**
 * Pictures whose difference hashes differ in at most this many of 64 bits are duplicates. A higher limit finds false
 * pairs.
 */
const maxBits = 6;

const countSetBits = (value: number): number => {
  let n = value - ((value >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

type HashHalves = readonly [high: number, low: number];
const splitHashHalves = (hash: string): HashHalves => [parseInt(hash.slice(0, 8), 16), parseInt(hash.slice(8, 16), 16)];
const isNearDuplicate = (a: HashHalves, b: HashHalves): boolean =>
  countSetBits(a[0] ^ b[0]) + countSetBits(a[1] ^ b[1]) <= maxBits;

/**
 * Finds duplicates: for each hash (16 hex digits, or null) the index of the first picture that it duplicates, or null.
 * A duplicate is never the original of another one.
 */
export const findDuplicatePhotos = (hashes: readonly (string | null)[]): (number | null)[] => {
  const firsts: { at: number; halves: HashHalves }[] = [];
  return hashes.map((hash, at) => {
    if (hash === null) return null;
    const halves = splitHashHalves(hash);
    const first = firsts.find((one) => isNearDuplicate(one.halves, halves));
    if (first) return first.at;
    firsts.push({ at, halves });
    return null;
  });
};

/** Whether a prepared photo goes to the listing. */
export type PhotoChoice = {
  state: 'ready' | 'aside';
  aside: AsideReason | null;
  duplicate_of: string | null;
  sentence: string | null;
};
type PreparedChoice = Pick<PhotoRow, 'photo_id' | 'name' | 'hash64' | 'choice'>;

const goesToListing: PhotoChoice = { state: 'ready', aside: null, duplicate_of: null, sentence: null };

/**
 * Chooses which prepared photos of an item go to the listing, in the person's order. Leaves out photos that the person
 * set aside, duplicates that the person did not ask to keep, and photos beyond `cap`. Each of these has a reason.
 */
const choosePhotosForListing = (photos: readonly PreparedChoice[], cap: number): Map<string, PhotoChoice> => {
  const copyOf = findDuplicatePhotos(photos.map(({ hash64, choice }) => (choice === 'aside' ? null : hash64)));
  let freePlaces = cap;
  const chosen = photos.map((photo, at): [string, PhotoChoice] => {
    const first = photos[copyOf[at] ?? -1];
    const duplicate_of = first?.photo_id ?? null;
    const setPhotoAside = (why: AsideReason, sentence: string): [string, PhotoChoice] => [
      photo.photo_id,
      { state: 'aside', aside: why, duplicate_of, sentence },
    ];
    if (photo.choice === 'aside') return setPhotoAside('person', formatEnglishText('aside.person'));
    if (first && photo.choice !== 'in')
      return setPhotoAside('duplicate', formatEnglishText('aside.duplicate', { name: first.name }));
    if (freePlaces === 0) return setPhotoAside('over_cap', formatEnglishText('aside.over_cap', { most: cap }));
    freePlaces -= 1;
    return [photo.photo_id, { ...goesToListing, duplicate_of }];
  });
  return new Map(chosen);
};

const isPreparedPhoto = (photo: PhotoRow): boolean => photo.state === 'ready' || photo.state === 'aside';

/**
 * Chooses again which prepared photos of an item go to the listing, and stores what changed. Returns the chosen photos
 * in order.
 */
export const storeChosenPhotos = ({ table }: Pick<ItemsContext, 'table'>, itemId: string, cap: number): PhotoRow[] => {
  const prepared = table.photos(itemId).filter(isPreparedPhoto);
  const chosen = choosePhotosForListing(prepared, cap);
  const changed = prepared.flatMap((photo) => {
    const choice = chosen.get(photo.photo_id);
    const same = choice?.state === photo.state && choice.aside === photo.aside && choice.sentence === photo.sentence;
    return choice && !(same && choice.duplicate_of === photo.duplicate_of) ? [{ photo, choice }] : [];
  });
  if (changed.length > 0)
    table.noteTogether(() => changed.forEach(({ photo, choice }) => table.changePhoto(photo.photo_id, choice)));
  return prepared.filter((photo) => chosen.get(photo.photo_id)?.state === 'ready');
};

/** Returns the number of photos that the plan allows per listing, at most the service's own limit. */
export const readPhotoCap = (standing: Standing | null): number => {
  const code = standing?.plan?.code?.toLowerCase();
  const known = standing?.plan?.photosPerListing ?? plans.find((plan) => plan.code === code)?.photosPerListing;
  return Math.min(known ?? limits.photosPerListing, limits.photosPerListing);
};
