import { type ParsedInput, type RouteName, parseTrustedInput } from '../../../contract/index.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import type { ResponseCache } from './responseCache.ts';
import { mustSendOnce } from './floors.ts';
import type { GenerationLimiter } from './generationLimiter.ts';
import type { Asker } from '../../base/request.ts';

type ThrottledAnswer<N extends RouteName> = ServiceAnswer<N> & { source: 'service' | 'cache'; ageMs: number };

type ReadListing = <N extends RouteName>(
  route: N,
  input: ParsedInput<N>,
  options: SendOptions,
) => Promise<ThrottledAnswer<N>>;

/**
 * Creates the reader that all pollers share, so that a listing in generation is read at most every five seconds. Do not
 * use it for reads that must be current.
 */
export const createListingReader =
  ({ polledAnswer }: Pick<ResponseCache, 'polledAnswer'>, shared: ServiceClient): ReadListing =>
  async (route, input, options) => {
    const known = polledAnswer(route, input);
    if (known) return { ...known.answer, source: 'cache', ageMs: known.ageMs };
    return { ...(await shared.send(route, input, options)), source: 'service', ageMs: 0 };
  };

type ThrottleOptions = Pick<SendOptions, 'signal' | 'unattended' | 'beforeSend'> & {
  waitMs: number;
  internal: boolean;
};

export type Throttle = Pick<ResponseCache, 'admit' | 'admitApprovalRequest' | 'noteFailedRequest'> & {
  /** Throws `Problem`. */
  send: <N extends RouteName>(
    by: Asker,
    route: N,
    input: ParsedInput<N>,
    options: ThrottleOptions,
  ) => Promise<ThrottledAnswer<N>>;
};

const awaitServiceAnswer = async <N extends RouteName>(
  sent: Promise<ServiceAnswer<N>>,
): Promise<ThrottledAnswer<N>> => ({
  ...(await sent),
  source: 'service',
  ageMs: 0,
});

const isAdaptationRequest = (route: RouteName, input: ParsedInput<RouteName>): boolean =>
  route === 'generateListing' && parseTrustedInput('generateListing', input).body.intent === 'adapt_marketplace';

/**
 * Creates the throttle that limits the requests of assistants. Requests of the person are not limited; they only share
 * reads of a listing in generation, and the places of generations when many listings are adapted to another site.
 */
export const createThrottle = (
  answers: ResponseCache & { shared: ServiceClient },
  generationLimiter: GenerationLimiter,
  readListing: ReadListing,
): Throttle => {
  const sendInGenerationPlace = <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    { waitMs, ...options }: Omit<ThrottleOptions, 'internal'>,
  ): Promise<ThrottledAnswer<N>> => {
    const { params, body } = parseTrustedInput('generateListing', input);
    const place = { extra: body.extrasApprovalId !== undefined, waitMs, signal: options.signal };
    return generationLimiter.run(params.listingId, place, () =>
      awaitServiceAnswer(answers.client.send(route, input, options)),
    );
  };

  const sendForAssistant = async <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    { waitMs, signal, unattended, beforeSend }: ThrottleOptions,
  ): Promise<ThrottledAnswer<N>> => {
    const kept = answers.cachedAnswer(route, input);
    if (kept) return { ...kept.answer, source: 'cache', ageMs: kept.ageMs };
    const refusal = answers.activeRefusal(route);
    if (refusal) throw refusal;
    const joined = answers.joinShared(route, input, signal);
    if (joined) return awaitServiceAnswer(joined);
    // A generation is admitted earlier, before its allowance is checked.
    if (route === 'generateListing')
      return sendInGenerationPlace(route, input, { waitMs, signal, unattended, beforeSend });
    try {
      answers.admit(route, input);
    } catch (error) {
      const stale = answers.staleAnswer(route, input);
      if (stale === null) throw error;
      return { ...stale.answer, source: 'cache', ageMs: stale.ageMs };
    }
    const once = mustSendOnce(route);
    const sent = await answers.shared.send(route, input, { signal, unattended, beforeSend, once });
    return { ...sent, source: 'service', ageMs: 0 };
  };

  return {
    admit: answers.admit,
    admitApprovalRequest: answers.admitApprovalRequest,
    noteFailedRequest: answers.noteFailedRequest,
    send: (by, route, input, options) => {
      const { signal, unattended, beforeSend } = options;
      if (by.kind === 'assistant' && !options.internal) return sendForAssistant(route, input, options);
      if (isAdaptationRequest(route, input))
        return sendInGenerationPlace(route, input, { waitMs: options.waitMs, signal, unattended, beforeSend });
      // An assistant joins a read that the companion makes by itself, and would otherwise have to wait for a minute.
      const client = unattended ? answers.shared : answers.client;
      if (route !== 'readListing')
        return awaitServiceAnswer(client.send(route, input, { signal, unattended, beforeSend }));
      return readListing(route, input, { signal, unattended });
    },
  };
};
