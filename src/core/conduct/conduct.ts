import type { ParsedInput, RouteName } from '../../contract/index.ts';
import type { Asker } from '../approvals/approval.ts';
import type { Clock } from '../ports.ts';
import { problem } from '../problem.ts';
import type { SendOptions, ServiceAnswer } from '../service/serviceClient.ts';
import type { Answers } from './answers.ts';
import { spacedMs } from './rules.ts';
import type { Writings } from './writings.ts';

type Options = Pick<SendOptions, 'signal' | 'unattended'> & { waitMs: number; paced: boolean };

/** An answer and where it is from; `ageMs` is 0 for one that the service gave now. */
export type Conducted<N extends RouteName> = ServiceAnswer<N> & { source: 'service' | 'cache'; ageMs: number };

export type Conduct = ReturnType<typeof createConduct>;

/**
 * Keeps the interface's rules of conduct for assistants: what may not be polled or looped on is answered from memory,
 * what the service held back stays held back, five writings at a time. The person's own requests pass as they are.
 */
export const createConduct = (answers: Answers, writings: Writings, clock: Clock) => {
  const lastAt = new Map<string, number>();

  /** Refuses what was done a moment ago; hundreds of listings are hundreds of entries, so old ones go. */
  const space = (route: RouteName, input: object): void => {
    const ms = spacedMs[route];
    if (ms === undefined) return;
    const now = clock.now();
    const key = `${route} ${JSON.stringify(input)}`;
    const waitMs = (lastAt.get(key) ?? -Infinity) + ms - now;
    if (waitMs > 0) {
      throw problem('SLOW_DOWN', {
        retryAfterS: Math.ceil(waitMs / 1_000),
      });
    }
    for (const [old, at] of lastAt) if (now - at > ms) lastAt.delete(old);
    lastAt.set(key, now);
  };

  const send = async <N extends RouteName>(
    by: Asker,
    route: N,
    input: ParsedInput<N>,
    { waitMs, paced, signal, unattended }: Options,
  ): Promise<Conducted<N>> => {
    const ask = async (): Promise<Conducted<N>> => ({
      ...(await answers.client.send(route, input, { signal, unattended })),
      source: 'service',
      ageMs: 0,
    });
    if (by.kind === 'person' || paced) return ask();
    const kept = answers.standing(route, input);
    if (kept) return { ...kept.answer, source: 'cache', ageMs: kept.ageMs };
    const held = answers.held(route);
    if (held) throw held;
    space(route, input);
    if (route !== 'generateListing') return ask();
    const { params, body } = input as unknown as ParsedInput<'generateListing'>;
    return writings.run(params.listingId, { extra: body.extrasApprovalId !== undefined, waitMs, signal }, ask);
  };
  return { send };
};
