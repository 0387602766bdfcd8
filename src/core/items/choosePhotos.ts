import { englishText } from '../../i18n/english.ts';
import type { AsideReason } from '../storage/tables/itemRecord.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';
import type { ItemsContext } from './itemsContext.ts';
import { limits, plans, type Standing } from '../../contract/index.ts';

/**
 * Pictures whose difference hashes differ in at most this many of 64 bits are duplicates. A higher limit finds false
 * pairs.
 */
const mostBits = 6;

const bits = (value: number): number => {
  let n = value - ((value >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

type Halves = readonly [high: number, low: number];
const halvesOf = (hash: string): Halves => [parseInt(hash.slice(0, 8), 16), parseInt(hash.slice(8, 16), 16)];
const isCopy = (a: Halves, b: Halves): boolean => bits(a[0] ^ b[0]) + bits(a[1] ^ b[1]) <= mostBits;

/**
 * Finds duplicates: for each hash (16 hex digits, or null) the index of the first picture that it duplicates, or null.
 * A duplicate is never the original of another one.
 */
export const findCopies = (hashes: readonly (string | null)[]): (number | null)[] => {
  const firsts: { at: number; halves: Halves }[] = [];
  return hashes.map((hash, at) => {
    if (hash === null) return null;
    const halves = halvesOf(hash);
    const first = firsts.find((one) => isCopy(one.halves, halves));
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
type Prepared = Pick<PhotoRow, 'photo_id' | 'name' | 'hash64' | 'choice'>;

const going: PhotoChoice = { state: 'ready', aside: null, duplicate_of: null, sentence: null };

/**
 * Chooses which prepared photos of an item go to the listing, in the person's order. Leaves out photos that the person
 * set aside, duplicates that the person did not ask to keep, and photos beyond `cap`. Each of these has a reason.
 */
const choosePhotos = (photos: readonly Prepared[], cap: number): Map<string, PhotoChoice> => {
  const copyOf = findCopies(photos.map(({ hash64, choice }) => (choice === 'aside' ? null : hash64)));
  let places = cap;
  const chosen = photos.map((photo, at): [string, PhotoChoice] => {
    const first = photos[copyOf[at] ?? -1];
    const duplicate_of = first?.photo_id ?? null;
    const aside = (why: AsideReason, sentence: string): [string, PhotoChoice] => [
      photo.photo_id,
      { state: 'aside', aside: why, duplicate_of, sentence },
    ];
    if (photo.choice === 'aside') return aside('person', englishText('aside.person'));
    if (first && photo.choice !== 'in') return aside('duplicate', englishText('aside.duplicate', { name: first.name }));
    if (places === 0) return aside('over_cap', englishText('aside.over_cap', { most: cap }));
    places -= 1;
    return [photo.photo_id, { ...going, duplicate_of }];
  });
  return new Map(chosen);
};

const isPrepared = (photo: PhotoRow): boolean => photo.state === 'ready' || photo.state === 'aside';

/**
 * Chooses again which prepared photos of an item go to the listing, and stores what changed. Returns the chosen photos
 * in order.
 */
export const settlePhotos = ({ table }: Pick<ItemsContext, 'table'>, itemId: string, cap: number): PhotoRow[] => {
  const prepared = table.photos(itemId).filter(isPrepared);
  const chosen = choosePhotos(prepared, cap);
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
export const photoCap = (standing: Standing | null): number => {
  const code = standing?.plan?.code?.toLowerCase();
  const known = standing?.plan?.photosPerListing ?? plans.find((plan) => plan.code === code)?.photosPerListing;
  return Math.min(known ?? limits.photosPerListing, limits.photosPerListing);
};
