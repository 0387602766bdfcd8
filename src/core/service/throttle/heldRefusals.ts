import { routeOf, type RouteName } from '../../../contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { Pacing } from '../pacing/pacing.ts';
import { ServiceError } from '../serviceError.ts';

/** How long a refusal stands that asks to wait and says no time, in seconds. */
const untimedWaitS = 60;

type Held = { since: number; until: number; error: ServiceError };

/** Refusals with status 429 that still stand: while one does, no request of the same budget is sent. */
export type HeldRefusals = {
  /** Notes a refusal of that route with status 429. */
  note: (route: RouteName, error: ServiceError) => void;
  /** The refusal that still holds for this request, with the seconds that are left; null when there is none. */
  find: (route: RouteName) => ServiceError | null;
};

/** Requests that share a budget of the service share its refusals. */
const budgetOf = (route: RouteName): string => routeOf(route).quota ?? `route ${route}`;

/** The same refusal, as if the service had given it now. */
const refusedFor = ({ code, message, says, body, status }: ServiceError, retryAfterS: number): ServiceError =>
  new ServiceError({
    code,
    sentence: message,
    says,
    body,
    status,
    effect: 'refused',
    retryAfterS,
    headers: { 'retry-after': String(retryAfterS) },
  });

export const createHeldRefusals = (
  clock: Clock,
  account: () => string | null,
  pacing: Pick<Pacing, 'retryAfterMs' | 'newBudgetsAt'>,
): HeldRefusals => {
  const held = new Map<string, Held>();
  const keyOf = (route: RouteName): string => `${account()} ${budgetOf(route)}`;
  return {
    note: (route, error) => {
      const now = clock.now();
      const named = error.retryAfterS === undefined ? null : now + pacing.retryAfterMs(error.retryAfterS);
      // The marketplace's own daily limit starts again at midnight, whatever the answer leaves out.
      const daily = named === null && routeOf(route).quota !== undefined ? pacing.newBudgetsAt() : null;
      held.set(keyOf(route), { since: now, until: named ?? daily ?? now + pacing.retryAfterMs(untimedWaitS), error });
    },
    find: (route) => {
      const found = held.get(keyOf(route));
      // A clock that was set back would make it last for as long as that.
      if (!found || found.until <= clock.now() || clock.now() < found.since) return null;
      return refusedFor(found.error, Math.ceil((found.until - clock.now()) / 1_000));
    },
  };
};
