import { listing as listingShape, type Listing } from '../../../contract/index.ts';
import { isRecord, readListingId } from '../../base/json.ts';

/** Finds the listings in an answer. Listings that the request is not about are ignored. */
export type FindListings = (answer: unknown, input: unknown) => Listing[];

/** Finds the one listing that an answer is, of any id. */
export const findOneListing: FindListings = (answer) => {
  const parsed = listingShape.safeParse(answer);
  return parsed.success ? [parsed.data] : [];
};

/** Finds the listing of an answer only if it has the id that the request names. */
export const findOwnListing: FindListings = (answer, input) =>
  findOneListing(answer, input).filter(({ listingId }) => listingId === readListingId(input));

/** Finds the readable listings of a page of listings. */
export const findListedListings: FindListings = (answer, input) =>
  isRecord(answer) && Array.isArray(answer['listings'])
    ? answer['listings'].flatMap((value: unknown) => findOneListing(value, input))
    : [];
