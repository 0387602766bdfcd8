import type { RawInput, RouteName } from '../../../contract/index.ts';
import { hashCanonicalJson } from '../../base/json.ts';
import { createProblem, toProblemView } from '../../base/problem.ts';
import { toAskerId, type Asker } from '../../base/request.ts';
import type { Batch, StoredBatchRow } from '../../storage/tables/batchesTable.ts';

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

export const digestBatchRequest = (request: BatchRequest): string => hashCanonicalJson(request);

/** Returns the check whether a batch of the same asker has exactly these requests, in any order. */
export const createSameBatchCheck = (by: Asker, requests: readonly BatchRequest[]): ((batch: Batch) => boolean) => {
  const digests = new Set(requests.map(digestBatchRequest));
  return ({ asker, rows }) =>
    toAskerId(asker) === toAskerId(by) &&
    rows.length === digests.size &&
    rows.every(({ requestDigest = '' }) => digests.has(requestDigest));
};

export const toRowProblem = (error: unknown): NonNullable<StoredBatchRow['problem']> => {
  const { code, sentence, says, retryAfterS, declinedBecause } = toProblemView(error);
  return { code, sentence, says, retryAfterS, declinedBecause };
};
