import { parseTrustedInput, type ParsedInput, type RouteName } from '../../contract/index.ts';
import type { KnownRouteFacts } from '../approvals/needsApproval.ts';
import type { Scope } from '../assistants/scope.ts';
import type { Asker, PerformRequest } from '../base/request.ts';
import { usesListingAllowance, type Allowance } from '../service/allowance.ts';
import { isWriteRoute } from '../service/throttle/floors.ts';
import { createProblem } from '../base/problem.ts';
import { findListingId } from '../base/json.ts';
import type { CoreServices } from './coreServices.ts';

type RequestFacts = KnownRouteFacts & { refused?: boolean };

export type AskerCheckContext = {
  checkAccess: (by: Asker) => void;
  scope: Scope;
  known: (route: RouteName, input: unknown) => RequestFacts;
  isChangingPhotos: IsChangingPhotos;
};

export type CheckAsker = (by: Asker, route: RouteName, input: unknown) => RequestFacts;

/**
 * Creates the check of an asker. The check throws if the asker may not send the request now, and otherwise returns the
 * known facts about the request.
 */
export const createAskerCheck =
  ({ checkAccess, scope, known, isChangingPhotos }: AskerCheckContext): CheckAsker =>
  (by, route, input) => {
    checkAccess(by);
    scope.checkListing(by, input);
    if (by.kind === 'assistant' && route === 'requestUploads') refuseUploads(isChangingPhotos, input);
    const facts = known(route, input);
    if (facts.refused) throw createProblem('NOT_FOR_ASSISTANTS');
    return facts;
  };

/** Photos of an assistant would mix with those that the person is changing. */
const refuseUploads = (isChangingPhotos: IsChangingPhotos, input: unknown): void => {
  const listingId = findListingId(input);
  if (listingId !== null && isChangingPhotos(listingId)) throw createProblem('PHOTOS_UPLOADING', { retryAfterS: 5 });
};

/** Returns whether the person is changing the photos of the listing. */
export type IsChangingPhotos = (listingId: string) => boolean;

export const createPhotoChangeCheck =
  ({ connection, itemsTable }: Pick<CoreServices, 'connection' | 'itemsTable'>): IsChangingPhotos =>
  (listingId) => {
    const account = connection.who()?.account;
    return account !== undefined && itemsTable.photoChanges.isRunning(account, listingId);
  };

export type BeforeSendContext = Pick<AskerCheckContext, 'scope'> & {
  checkAsker: CheckAsker;
  account: () => string | null;
  allowance: Pick<Allowance, 'readCoverage'>;
};

const readAgainAfterS = 5;

/**
 * Checks a write again just before it is sent, because it might have waited for a long time. Throws if the asker has
 * lost access, the account has changed, or the generation would now be charged as an extra.
 */
export const recheckRequestBeforeSending = (
  { checkAsker, scope, account, allowance }: BeforeSendContext,
  { by, route, internal }: Pick<PerformRequest, 'by' | 'route' | 'internal'>,
  input: ParsedInput<RouteName>,
  madeFor: string | null,
): void => {
  if (!isWriteRoute(route)) return;
  if (account() !== madeFor) throw createProblem('ACCOUNT_CHANGED');
  checkAsker(by, route, input);
  // The companion's own follow-up requests were allowed together with the request that caused them.
  if (!internal) scope.checkAct(by, route, false);
  if (
    !usesListingAllowance(route, input) ||
    parseTrustedInput('generateListing', input).body.extrasApprovalId !== undefined
  )
    return;
  // Other requests might have used up the allowance. The service would then charge an extra without asking.
  if (allowance.readCoverage() !== 'covered') throw createProblem('STANDING_UNKNOWN', { retryAfterS: readAgainAfterS });
};
