import { parseTrustedInput, type ParsedInput, type RouteName, uploadSlot } from '../../../contract/index.ts';
import { createProblem } from '../../base/problem.ts';
import type { RoutePolicy } from './routePolicy.ts';
import * as z from 'zod';
import { isRecord, findListingId } from '../../base/json.ts';
import { isUnknownAtService } from '../../service/serviceError.ts';

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

/** Hides the extras approval unless it belongs to this assistant. Without it, the next extra needs an approval. */
export const hideExtrasOfOthers: Policy['hideFields'] = ({ extras: owners }, by, answer) => {
  if (!isRecord(answer) || !isRecord(answer['allowance'])) return answer;
  const { extras, nextListing } = answer['allowance'];
  if (!isRecord(extras) || !isRecord(extras['approval'])) return answer;
  const own = owners.findSpendable(by);
  if (own !== null && extras['approval']['approvalId'] === own.extrasApprovalId) return answer;
  const isExtraNext = isRecord(nextListing) && nextListing['kind'] === 'extra';
  const seen = isExtraNext ? { nextListing: { ...nextListing, kind: 'extras_approval_required' } } : {};
  return { ...answer, allowance: { ...answer['allowance'], ...seen, extras: { ...extras, approval: null } } };
};

export const markIfMissing: Policy['noteFailure'] = ({ listingReads }, { input }, error) => {
  const listingId = findListingId(input);
  if (listingId !== null && isUnknownAtService(error)) listingReads.noteMissing(listingId);
};

const getExtrasApprovalId = (input: ParsedInput<RouteName>): string | undefined =>
  parseTrustedInput('generateListing', input).body.extrasApprovalId;

const getGeneratedListingId = (input: ParsedInput<RouteName>): string =>
  parseTrustedInput('generateListing', input).params.listingId;

/**
 * An adaptation is not a first generation. If the service refuses an adaptation, that does not show whether the listing
 * was generated before.
 */
const isFirstGeneration = (input: ParsedInput<RouteName>): boolean =>
  parseTrustedInput('generateListing', input).body.intent !== 'adapt_marketplace';

/** Throws if the person approved these extras for another assistant. */
export const refuseExtrasOfOthers: Policy['checkSpending'] = ({ extras }, by, input) => {
  if (by.kind === 'person') return;
  const given = getExtrasApprovalId(input);
  if (given !== undefined && extras.findSpendable(by)?.extrasApprovalId !== given)
    throw createProblem('EXTRAS_APPROVAL_REQUIRED');
};

export const wouldChargeExtra: Policy['wouldChargeExtra'] = async ({ standing }, { request, input }) => {
  if (getExtrasApprovalId(input) !== undefined) return false;
  const kind = (await standing.read(request.signal)).allowance.nextListing?.kind;
  return kind === 'extra' || kind === 'extras_approval_required';
};

/** Records that a first generation is being sent, and counts its extra as used. */
export const recordGenerationSending: Policy['noteSending'] = ({ generations, extras }, { input, account }) => {
  if (!isFirstGeneration(input)) return;
  const extra = getExtrasApprovalId(input);
  generations.sent(account, getGeneratedListingId(input), extra ?? null);
  if (extra !== undefined) extras.take(extra);
};

export const undoGenerationSending: Policy['undoSending'] = ({ generations, extras }, { input, account }) => {
  if (!isFirstGeneration(input)) return;
  const extra = getExtrasApprovalId(input);
  generations.settled(account, getGeneratedListingId(input), false);
  if (extra !== undefined) extras.giveBack(extra);
};

/**
 * Records that the listing was generated. An adaptation counts too, because the service adapts only generated listings.
 */
export const recordGenerationStarted: Policy['noteAccepted'] = ({ generations }, { input, account }) =>
  generations.settled(account, getGeneratedListingId(input), true);
