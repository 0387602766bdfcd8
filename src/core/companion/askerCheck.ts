import { requireRouteInput, type ParsedInput, type RouteName } from '../../contract/index.ts';
import type { KnownRouteFacts } from '../approvals/needsApproval.ts';
import type { Scope } from '../assistants/scope.ts';
import type { Asker, PerformRequest } from '../base/request.ts';
import { usesListingAllowance, type Allowance } from '../service/allowance.ts';
import { isWriteRoute } from '../service/throttle/floors.ts';
import { createProblem } from '../base/problem.ts';

type RequestFacts = KnownRouteFacts & { refused?: boolean };

export type AskerCheckContext = {
  /** Throws if the assistant is paused or no longer paired. */
  checkAccess: (by: Asker) => void;
  /** Decides which listings an assistant may access. */
  scope: Scope;
  /** Returns what the live route list and the local history say about a request. */
  known: (route: RouteName, input: unknown) => RequestFacts;
};

export type CheckAsker = (by: Asker, route: RouteName, input: unknown) => RequestFacts;

/**
 * Creates the check whether an asker may make a request now. The check throws if not, and returns the facts known
 * about the request.
 */
export const createAskerCheck =
  ({ checkAccess, scope, known }: AskerCheckContext): CheckAsker =>
  (by, route, input) => {
    checkAccess(by);
    scope.checkListing(by, input);
    const facts = known(route, input);
    if (facts.refused) throw createProblem('NOT_FOR_ASSISTANTS');
    return facts;
  };

/** The dependencies of `checkBeforeSending`. */
export type LeavingContext = Pick<AskerCheckContext, 'scope'> & {
  checkAsker: CheckAsker;
  /** Returns the connected account; null if there is none. */
  account: () => string | null;
  /** Returns whether plan or credits cover one more generation. */
  allowance: Pick<Allowance, 'readCoverage'>;
};

const readAgainAfterS = 5;

/**
 * Checks a write again right before it is sent, as it may have waited for a lock, for the queue or for a retry.
 * Throws if the asker lost its access, if the account changed, or if a generation without an extras approval could
 * now be charged as an extra. Reads are not checked: they change nothing and may be shared by several askers.
 */
export const checkBeforeSending = (
  { checkAsker, scope, account, allowance }: LeavingContext,
  { by, route, internal }: Pick<PerformRequest, 'by' | 'route' | 'internal'>,
  input: ParsedInput<RouteName>,
  madeFor: string | null,
): void => {
  if (!isWriteRoute(route)) return;
  if (account() !== madeFor) throw createProblem('ACCOUNT_CHANGED');
  checkAsker(by, route, input);
  // The companion's own follow-up requests were authorised when their work started.
  if (!internal) scope.checkAct(by, route, false);
  if (
    !usesListingAllowance(route, input) ||
    requireRouteInput('generateListing', input).body.extrasApprovalId !== undefined
  )
    return;
  // Other requests may have used up the allowance since the first check; the service would charge an extra
  // silently.
  if (allowance.readCoverage() !== 'covered') throw createProblem('STANDING_UNKNOWN', { retryAfterS: readAgainAfterS });
};
