import { requireRouteInput, type ParsedInput, type RouteName } from '../../../contract/index.ts';
import { createProblem } from '../../base/problem.ts';
import type { RoutePolicy } from './routePolicy.ts';

type Policy = Required<RoutePolicy>;

const readExtrasApproval = (input: ParsedInput<RouteName>): string | undefined =>
  requireRouteInput('generateListing', input).body.extrasApprovalId;

const readGeneratedListing = (input: ParsedInput<RouteName>): string =>
  requireRouteInput('generateListing', input).params.listingId;

/** An adaptation is not a first generation; its refusal does not show whether there was one. */
const isFirstGeneration = (input: ParsedInput<RouteName>): boolean =>
  requireRouteInput('generateListing', input).body.intent !== 'adapt_marketplace';

/** Refuses to spend extras that were approved for another assistant. */
export const refuseOthersExtras: Policy['checkSpending'] = ({ extras }, by, input) => {
  if (by.kind === 'person') return;
  const given = readExtrasApproval(input);
  if (given !== undefined && extras.findSpendable(by)?.extrasApprovalId !== given)
    throw createProblem('EXTRAS_APPROVAL_REQUIRED');
};

/** Reads the standing: a generation without an extras approval may be charged as an extra. */
export const wouldChargeExtra: Policy['wouldChargeExtra'] = async ({ standing }, { request, input }) => {
  if (readExtrasApproval(input) !== undefined) return false;
  const kind = (await standing.read(request.signal)).allowance.nextListing?.kind;
  return kind === 'extra' || kind === 'extras_approval_required';
};

/** Notes a first generation, and counts the extra that it spends. */
export const noteGenerationSending: Policy['noteSending'] = ({ generations, extras }, { input, account }) => {
  if (!isFirstGeneration(input)) return;
  const extra = readExtrasApproval(input);
  generations.sent(account, readGeneratedListing(input), extra ?? null);
  if (extra !== undefined) extras.take(extra);
};

/** Undoes `noteGenerationSending`. */
export const undoGenerationSending: Policy['undoSending'] = ({ generations, extras }, { input, account }) => {
  if (!isFirstGeneration(input)) return;
  const extra = readExtrasApproval(input);
  generations.settled(account, readGeneratedListing(input), false);
  if (extra !== undefined) extras.giveBack(extra);
};

/**
 * Notes that the listing was generated. An adaptation proves an earlier generation, too: another first generation
 * uses another listing of the allowance.
 */
export const noteGenerationStarted: Policy['noteAccepted'] = ({ generations }, { input, account }) =>
  generations.settled(account, readGeneratedListing(input), true);
