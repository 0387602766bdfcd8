import type { ParsedInput, RouteName } from '../../contract/index.ts';
import { canonical } from '../approvals/canonical.ts';
import { listingIdOf } from '../listingIdOf.ts';
import { newestMap } from '../newestMap.ts';
import type { Clock } from '../ports.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { ServiceAnswer, ServiceClient } from '../service/serviceClient.ts';
import type { Pacing } from '../pacing/pacing.ts';
import { routeOf } from '../../contract/index.ts';
import { isKept, standsFor, writes } from './rules.ts';

type Kept = { route: RouteName; listingId: string | null; at: number; answer: ServiceAnswer<RouteName> };

const mostKept = 2_000;
const holdWithoutWordS = 60;

export type Answers = ReturnType<typeof rememberAnswers>;

/** Requests that share a budget of the service share its refusals. */
const budgetOf = (route: RouteName): string => routeOf(route).quota ?? `route ${route}`;

/**
 * Remembers what the service answered, whoever asked: answers that may be given again for a while, and refusals that
 * ask to wait. `client` is the same client with this memory behind it.
 */
export const rememberAnswers = (
  service: ServiceClient,
  clock: Clock,
  account: () => string | null,
  pacing: Pick<Pacing, 'toldMs' | 'newBudgetsAt'>,
) => {
  const kept = newestMap<string, Kept>(mostKept);
  const held = new Map<string, { until: number; error: ServiceError }>();
  const written = new WeakMap<object, string>();
  const keyOf = (route: RouteName, input: object): string => {
    const text = written.get(input) ?? canonical(input);
    written.set(input, text);
    return `${account()} ${route} ${text}`;
  };

  const keep = (route: RouteName, input: object, answer: ServiceAnswer<RouteName>): void =>
    kept.set(keyOf(route, input), { route, listingId: listingIdOf(input), at: clock.now(), answer });

  /** What was written may have changed what was read: about the same listing, or about anything. */
  const forgetAfter = (input: object): void => {
    const listingId = listingIdOf(input);
    for (const [key, one] of kept.entries()) {
      const same = listingId === null || one.listingId === null || one.listingId === listingId;
      if (same && !standsFor(one.route, one.answer.answer)?.throughWrites) kept.delete(key);
    }
  };

  const hold = (route: RouteName, error: ServiceError): void => {
    const now = clock.now();
    const asked = error.retryAfterS === undefined ? null : now + pacing.toldMs(error.retryAfterS);
    // The marketplace's own daily limit starts again at midnight, whatever the answer leaves out.
    const daily = asked === null && routeOf(route).quota !== undefined ? pacing.newBudgetsAt() : null;
    held.set(`${account()} ${budgetOf(route)}`, {
      until: asked ?? daily ?? now + pacing.toldMs(holdWithoutWordS),
      error,
    });
  };

  const client: ServiceClient = {
    send: async (route, input, options) => {
      try {
        const answer = await service.send(route, input, options);
        if (isKept(route)) keep(route, input, answer);
        return answer;
      } catch (error) {
        if (error instanceof ServiceError && error.status === 429) hold(route, error);
        throw error;
      } finally {
        // Also when the answer was lost: then nobody knows what was written.
        if (writes(route)) forgetAfter(input);
      }
    },
  };

  return {
    client,
    /** The answer that still stands, and how old it is in ms; null when the service is to be asked. */
    standing: <N extends RouteName>(
      route: N,
      input: ParsedInput<N>,
    ): { answer: ServiceAnswer<N>; ageMs: number } | null => {
      if (!isKept(route)) return null;
      const found = kept.get(keyOf(route, input));
      const rule = found ? standsFor(route, found.answer.answer) : null;
      const ageMs = clock.now() - (found?.at ?? 0);
      return found && rule && ageMs >= 0 && ageMs < rule.ms ? { answer: found.answer, ageMs } : null;
    },
    /** The refusal that still holds for this request, with the seconds that are left; null when there is none. */
    held: (route: RouteName): ServiceError | null => {
      const found = held.get(`${account()} ${budgetOf(route)}`);
      if (!found || found.until <= clock.now()) return null;
      const retryAfterS = Math.ceil((found.until - clock.now()) / 1_000);
      const { code, message: sentence, says, body, status } = found.error;
      return new ServiceError({
        code,
        sentence,
        says,
        body,
        status,
        effect: 'refused',
        retryAfterS,
        headers: { 'retry-after': String(retryAfterS) },
      });
    },
  };
};
