import { computeCommonColours, countDifferingBits, parseColourParts } from '../photos/photoLikeness.ts';
import type { ItemsTable } from '../storage/tables/itemsTable.ts';
import type { DuplicatesTable, DuplicateTarget, PhotoHash } from '../storage/tables/listings/duplicatesTable.ts';

/** Finds the live listings that could sell the same thing, most probable first. `makerId` as in `WarningRequest`. */
export type FindDuplicates = (own: DuplicateTarget, makerId: string | null) => string[];

/** The five bands of a hash find every hash that differs in at most this many bits. */
const maxBits = 4;
/** Different things on the same table have similar outlines, but not these colours. */
const minCommonColours = 0.97;
/** A picture of more live listings than this is a logo or a backdrop. */
const maxListingsOfPicture = 3;
const maxDuplicates = 5;
/** A shorter title can describe different things. */
const minTitleChars = 25;

const haveSameColours = (one: string | null, other: string | null): boolean =>
  one === null ||
  other === null ||
  computeCommonColours(parseColourParts(one), parseColourParts(other)) >= minCommonColours;

const isSimilarHash = (one: string, other: string): boolean => countDifferingBits(one, other) <= maxBits;
const getPhotoId = ({ photo_id }: PhotoHash): string => photo_id;

export const createDuplicateFinder =
  (table: DuplicatesTable, items: Pick<ItemsTable, 'idOfListing'>, account: () => string): FindDuplicates =>
  (own, makerId) => {
    // An item is searched alone, because its listing is not written yet.
    const ids =
      'itemId' in own ? { ...own, listingId: null } : { ...own, itemId: items.idOfListing(account(), own.listingId) };
    const query = { account: account(), makerId, ...ids };
    const samePicture = table.listOwnPictures(query).flatMap((picture) => {
      const near = table.listNearHashes(picture.hash64).filter(({ hash64 }) => isSimilarHash(picture.hash64, hash64));
      const live = table.listLivePictures(query, near.map(getPhotoId));
      // Photos of one thing from other angles, and photos of other things, have different colours.
      const copies = live.filter(({ colours }) => haveSameColours(picture.colours, colours));
      const found = new Set(copies.map(({ listing_id }) => listing_id));
      return found.size > maxListingsOfPicture ? [] : [...found];
    });
    const all = [
      ...table.listSameBarcode(query, maxDuplicates),
      ...samePicture,
      ...table.listSameTitle(query, minTitleChars, maxDuplicates),
    ];
    return [...new Set(all)].slice(0, maxDuplicates);
  };
