import { englishText } from '../../i18n/english.ts';
import { findCopies } from '../photos/copies.ts';
import type { AsideWhy } from '../storage/tables/itemRecord.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';

/** What becomes of a prepared photo of an item. */
export type PhotoChoice = {
  state: 'ready' | 'aside';
  aside: AsideWhy | null;
  duplicate_of: string | null;
  sentence: string | null;
};
type Prepared = Pick<PhotoRow, 'photo_id' | 'name' | 'hash64' | 'choice'>;

const going: PhotoChoice = { state: 'ready', aside: null, duplicate_of: null, sentence: null };

/**
 * Which of an item's prepared photos, in the person's order, go to the listing: not those that the person set aside, not
 * copies of an earlier one unless the person wants both, and no more than `cap`. Those aside say why; none is lost.
 */
export const choosePhotos = (photos: readonly Prepared[], cap: number): Map<string, PhotoChoice> => {
  const copyOf = findCopies(photos.map(({ hash64, choice }) => (choice === 'aside' ? null : hash64)));
  let places = cap;
  const chosen = photos.map((photo, at): [string, PhotoChoice] => {
    const first = photos[copyOf[at] ?? -1];
    const duplicate_of = first?.photo_id ?? null;
    const aside = (why: AsideWhy, sentence: string): [string, PhotoChoice] => [
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
