import { inputOf, type ParsedInput, type RouteName } from '../../contract/index.ts';
import type { Known } from '../approvals/needsApproval.ts';
import type { Scope } from '../assistants/scope.ts';
import type { Asker, Request } from '../base/request.ts';
import { usesListing, type Allowance } from '../service/allowance.ts';
import { writes } from '../service/throttle/floors.ts';
import { problem } from '../base/problem.ts';

type KnownOfRequest = Known & { refused?: boolean };

export type AskerCheckContext = {
  /** Throws when an assistant is paused or not let in any more. */
  checkAccess: (by: Asker) => void;
  /** Which listings an assistant may touch. */
  scope: Scope;
  /** What the live route list and the local history know of this request. */
  known: (route: RouteName, input: unknown) => KnownOfRequest;
};

export type CheckAsker = (by: Asker, route: RouteName, input: unknown) => KnownOfRequest;

/** Throws when an asker may not make a request now, or nobody may any more; answers what is known of the request. */
export const createAskerCheck =
  ({ checkAccess, scope, known }: AskerCheckContext): CheckAsker =>
  (by, route, input) => {
    checkAccess(by);
    scope.check(by, input);
    const facts = known(route, input);
    if (facts.refused) throw problem('NOT_FOR_ASSISTANTS');
    return facts;
  };

type LeavingContext = Pick<AskerCheckContext, 'scope'> & {
  checkAsker: CheckAsker;
  account: () => string | null;
  allowance: Pick<Allowance, 'cover'>;
};

const readAgainAfterS = 5;

/**
 * Looks once more when a request leaves, which may be long after it was made: it waits for its listing, for its turn and for
 * a second try. Throws where whoever made it may not do so any more, where it was made for another account, or where a writing
 * that names no extras could be charged to some by now. Reads change nothing, and one may be for several askers.
 */
export const checkLeaving = (
  { checkAsker, scope, account, allowance }: LeavingContext,
  { by, route, internal }: Pick<Request, 'by' | 'route' | 'internal'>,
  input: ParsedInput<RouteName>,
  madeFor: string | null,
): void => {
  if (!writes(route)) return;
  if (account() !== madeFor) throw problem('ACCOUNT_CHANGED');
  checkAsker(by, route, input);
  // What the companion does on its own way was allowed when it was begun.
  if (!internal) scope.checkAct(by, route, false);
  if (!usesListing(route, input) || inputOf('generateListing', input).body.extrasApprovalId !== undefined) return;
  // Others may have taken what was left when it was judged; the service would take an extra without a word.
  if (allowance.cover() !== 'covered') throw problem('STANDING_UNKNOWN', { retryAfterS: readAgainAfterS });
};
