import { inputOf, type ParsedInput, type RouteName } from '../../../contract/index.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import type { ResponseCache } from './responseCache.ts';
import { floorOf } from './floors.ts';
import type { ReadListing } from './listingReader.ts';
import type { GenerationLimiter } from './generationLimiter.ts';
import type { Asker } from '../../base/asker.ts';

type Options = Pick<SendOptions, 'signal' | 'unattended'> & { waitMs: number; paced: boolean };

/** An answer and where it is from; `ageMs` is 0 for one that the service gave now. */
export type Throttled<N extends RouteName> = ServiceAnswer<N> & { source: 'service' | 'cache'; ageMs: number };

export type Throttle = ReturnType<typeof createThrottle>;

const fromService = async <N extends RouteName>(sent: Promise<ServiceAnswer<N>>): Promise<Throttled<N>> => ({
  ...(await sent),
  source: 'service',
  ageMs: 0,
});

/**
 * Keeps the interface's rules of conduct: what may not be polled or looped on is answered from memory, what the service
 * held back stays held back, five writings at a time. The person's own requests pass as they are; only a listing in
 * writing is read once for all who poll it.
 */
export const createThrottle = (
  answers: ResponseCache & { shared: ServiceClient },
  writings: GenerationLimiter,
  readListing: ReadListing,
) => {
  const sendForAssistant = async <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    { waitMs, signal, unattended }: Options,
  ): Promise<Throttled<N>> => {
    const kept = answers.standing(route, input);
    if (kept) return { ...kept.answer, source: 'cache', ageMs: kept.ageMs };
    const held = answers.held(route);
    if (held) throw held;
    const joined = answers.joined(route, input, signal);
    if (joined) return fromService(joined);
    // A writing was let through before it was looked at what it would be charged to.
    if (route !== 'generateListing') answers.admit(route, input);
    if (route !== 'generateListing')
      return fromService(answers.shared.send(route, input, { signal, unattended, once: floorOf(route) !== null }));
    const { params, body } = inputOf('generateListing', input);
    const extra = body.extrasApprovalId !== undefined;
    return writings.run(params.listingId, { extra, waitMs, signal }, () =>
      fromService(answers.client.send(route, input, { signal, unattended })),
    );
  };

  return {
    /** Lets a call of an assistant's reach the service. Throws SLOW_DOWN. */
    admit: answers.admit,
    /** Lets an assistant ask the person, for which the service is read. Throws SLOW_DOWN. */
    admitQuestion: answers.admitQuestion,
    askedInVain: answers.askedInVain,
    send: async <N extends RouteName>(
      by: Asker,
      route: N,
      input: ParsedInput<N>,
      options: Options,
    ): Promise<Throttled<N>> => {
      const { signal, unattended } = options;
      if (by.kind === 'assistant' && !options.paced) return sendForAssistant(route, input, options);
      if (route !== 'readListing') return fromService(answers.client.send(route, input, { signal, unattended }));
      return (await readListing(inputOf('readListing', input), {
        signal,
        unattended,
      })) as unknown as Throttled<N>;
    },
  };
};
