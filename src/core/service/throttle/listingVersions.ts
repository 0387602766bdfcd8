import type { RouteName } from '../../../contract/index.ts';
import { isRecord } from '../../base/json.ts';

type RouteAnswer = { route: RouteName; answer: unknown };
type ListingFacts = Record<string, unknown>;

/** A list can omit fields that a read of one listing has, so only these are compared, where both have them. */
const comparedFields = ['status', 'title', 'price', 'quantity'] as const;

const listListingsOf = ({ route, answer }: RouteAnswer): ListingFacts[] => {
  if (!isRecord(answer)) return [];
  if (route === 'readListing') return [answer];
  const { listings } = answer;
  return route === 'listListings' && Array.isArray(listings) ? listings.filter(isRecord) : [];
};

const isOtherVersion = (one: ListingFacts, other: ListingFacts): boolean =>
  comparedFields.some((field) => (one[field] ?? other[field]) !== (other[field] ?? one[field]));

/** Returns the ids of the listings of which an earlier answer shows another version than the new answer. */
export const findChangedListings = (fresh: RouteAnswer, earlier: Iterable<RouteAnswer>): Set<unknown> => {
  const newest = new Map(listListingsOf(fresh).map((listing) => [listing['listingId'], listing]));
  const changed = new Set<unknown>();
  if (newest.size === 0) return changed;
  for (const one of earlier)
    for (const listing of listListingsOf(one)) {
      const now = newest.get(listing['listingId']);
      if (now && isOtherVersion(listing, now)) changed.add(now['listingId']);
    }
  return changed;
};
