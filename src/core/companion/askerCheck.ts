import type { RouteName } from '../../contract/index.ts';
import type { Known } from '../approvals/needsApproval.ts';
import type { Scope } from '../assistants/scope.ts';
import type { Asker } from '../base/request.ts';
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
