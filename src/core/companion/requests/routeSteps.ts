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

const defaultPageRows = 50;

/** Listings that are not on the service's first page are as old as the companion's last sync. */
export const ownListings: Policy['ownPart'] = {
  input: () => parseTrustedInput('listListings', { query: { limit: 200 } }),
  select: ({ scope }, by, input) => {
    const { status, q, limit = defaultPageRows, cursor = '0' } = parseTrustedInput('listListings', input).query;
    const offset = z.coerce.number().int().min(0).max(1e7).safeParse(cursor).data;
    if (offset === undefined) throw createProblem('INVALID_REQUEST.cursor', { field: 'cursor' });
    const found = scope.readOwnPage(by, { status, title: q, limit: limit + 1, offset });
    return {
      listings: found.slice(0, limit),
      nextCursor: found.length > limit ? String(offset + limit) : null,
    };
  },
};

const ownNotificationsPage = z.looseObject({
  notifications: z
    .array(z.unknown())
    .transform((all) => all.filter(isRecord))
    .default([]),
});

/** Only the newest notifications, which the companion itself reads, are searched. */
export const ownNotifications: Policy['ownPart'] = {
  input: () => parseTrustedInput('listNotifications', {}),
  select: ({ scope }, by, input, answer) => {
    const { limit, cursor } = parseTrustedInput('listNotifications', input).query;
    const own = ownNotificationsPage
      .parse(answer)
      .notifications.filter(({ listingId }) => typeof listingId === 'string' && scope.mayTouch(by, listingId));
    return {
      notifications: cursor === undefined ? own.slice(0, limit) : [],
      unread: own.filter(({ read }) => read === false).length,
      nextCursor: null,
    };
  },
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
