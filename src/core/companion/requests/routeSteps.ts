import * as z from 'zod';
import { parseTrustedInput, uploadSlot } from '../../../contract/index.ts';
import { isRecord, findListingId } from '../../base/json.ts';
import { isUnknownAtService } from '../../service/serviceError.ts';
import type { RoutePolicy } from './routePolicy.ts';

type Policy = Required<RoutePolicy>;

/** Counts the request as an upload in flight. */
export const sendAsUpload: Policy['sendInside'] = ({ photoUploads }, input, send) =>
  photoUploads.asking(parseTrustedInput('requestUploads', input).body.listingId, send);

/**
 * Replaces upload slots with the companion's own upload URLs. The companion's own requests get the slots of the
 * service.
 */
export const replaceUploadSlots: Policy['replaceAnswer'] = ({ photoUploads }, by, { request, input }, answer) => {
  if (request.internal) return undefined;
  const { listingId, files } = parseTrustedInput('requestUploads', input).body;
  const slots = z.array(uploadSlot).parse(answer);
  return photoUploads.open(by, listingId, { files, slots }, request.reachedAt ?? '');
};

/** Hides the extras approval unless it belongs to this assistant. */
export const hideExtrasOfOthers: Policy['hideFields'] = ({ extras: owners }, by, answer) => {
  if (!isRecord(answer) || !isRecord(answer['allowance'])) return answer;
  const { extras } = answer['allowance'];
  if (!isRecord(extras) || !isRecord(extras['approval'])) return answer;
  const own = owners.findSpendable(by);
  if (own !== null && extras['approval']['approvalId'] === own.extrasApprovalId) return answer;
  return { ...answer, allowance: { ...answer['allowance'], extras: { ...extras, approval: null } } };
};

export const markIfMissing: Policy['noteFailure'] = ({ listingReads }, { input }, error) => {
  const listingId = findListingId(input);
  if (listingId !== null && isUnknownAtService(error)) listingReads.noteMissing(listingId);
};
