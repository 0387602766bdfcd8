import type { RawInput, RouteName } from '../../../contract/index.ts';
import { createProblem } from '../../base/problem.ts';

/** A batch contains at most one request per listing. */
export type BatchRequest = { route: RouteName; input: RawInput };

const maxRequests = 200;

/** Returns the listing of a request; an empty string if the request names none. */
export const getRequestedListingId = ({ input }: BatchRequest): string => input.params?.['listingId'] ?? '';

/** Throws INVALID_REQUEST if these requests cannot be one batch. */
export const refuseInvalidBatch = (requests: readonly BatchRequest[]): void => {
  const ids = requests.map(getRequestedListingId);
  const field = 'requests';
  if (requests.length < 2 || requests.length > maxRequests)
    throw createProblem('INVALID_REQUEST.batchSize', { field, values: { most: maxRequests } });
  if (ids.includes('')) throw createProblem('INVALID_REQUEST.batchListings', { field });
  if (new Set(ids).size < ids.length) throw createProblem('INVALID_REQUEST.batchTwice', { field });
};
