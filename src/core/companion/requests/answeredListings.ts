import { listing as listingShape, type Listing } from '../../../contract/index.ts';
import { isRecord, findListingId } from '../../base/json.ts';

export type FindListings = (answer: unknown, input: unknown) => Listing[];

/** Returns the answer if it is a listing. */
export const findOneListing: FindListings = (answer) => {
  const parsed = listingShape.safeParse(answer);
  return parsed.success ? [parsed.data] : [];
};

/** Returns the answer if it is the listing that the request names. */
export const findOwnListing: FindListings = (answer, input) =>
  findOneListing(answer, input).filter(({ listingId }) => listingId === findListingId(input));

/** Returns the valid listings on a page of listings. */
export const findListedListings: FindListings = (answer, input) =>
  isRecord(answer) && Array.isArray(answer['listings'])
    ? answer['listings'].flatMap((value: unknown) => findOneListing(value, input))
    : [];
