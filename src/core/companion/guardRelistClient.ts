import {
  findChannelName,
  parseChannelStates,
  requireRouteInput,
  limits,
  marketChannel,
  parseRouteInput,
  type ParsedInput,
} from '../../contract/index.ts';
import { cleanChannelName } from '../approvals/prompts/channels.ts';
import {
  createDeniedAnswerError,
  isDeniedInBody,
  createRefusedYetDoneOutcome,
  createUnconfirmedOutcome,
  createUndoneOutcome,
} from '../approvals/outcomes.ts';
import { unreadableStatuses } from '../approvals/settle.ts';
import { reconcileByReading, type Verdict } from '../approvals/reconcile.ts';
import { toRecordOrEmpty } from '../base/json.ts';
import type { Clock } from '../base/ports.ts';
import { Problem, createProblem, createProblemText } from '../base/problem.ts';
import { claimReadingWaits, readingWaits } from '../service/pacing/lostAnswers.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { Wait } from '../service/pacing/waits.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { ResponseCache } from '../service/throttle/responseCache.ts';

type RelistContext = Pick<ResponseCache, 'client' | 'cachedAnswer'> & {
  clock: Clock;
  pacing: Pacing;
  /** The ids of the connected account's stored listings. */
  knownIds: () => readonly string[];
};

/**
 * Wraps the client so that it refuses to relist a listing that is live on another channel. A relist would make it
 * editable, and publishing it again would change that channel without an approval. It must be ended there first,
 * which requires an approval. The check runs right before sending, as an approval decided while the request waited
 * may have published it.
 */
export const guardRelistClient = (remembered: RelistContext): ServiceClient => ({
  send: async (route, input, options) => {
    if (route !== 'relistListing') return remembered.client.send(route, input, options);
    await refuseIfLiveElsewhere(remembered, requireRouteInput('relistListing', input));
    return (await sendCheckedRelist(remembered, requireRouteInput('relistListing', input), options)) as ServiceAnswer<
      typeof route
    >;
  },
});

type SendRelist = (
  remembered: RelistContext,
  input: ParsedInput<'relistListing'>,
  options: SendOptions | undefined,
) => Promise<ServiceAnswer<'relistListing'>>;

const findOtherLiveChannel = (answer: unknown): string | null =>
  parseChannelStates(answer).find(({ channelId, isLive }) => isLive && channelId !== marketChannel)?.channelId ?? null;

/**
 * Returns another channel on which the listing is live. A recent cached answer may refuse, so that a loop does not
 * reach the service; only a fresh answer may permit.
 */
const readOtherLiveChannel = async (
  { client, cachedAnswer }: RelistContext,
  { params }: ParsedInput<'relistListing'>,
): Promise<string | null> => {
  const asked = requireRouteInput('readListingChannels', { params });
  const kept = cachedAnswer('readListingChannels', asked);
  const known = kept !== null && kept.ageMs <= limits.pollMs.least ? findOtherLiveChannel(kept.answer.answer) : null;
  return known ?? findOtherLiveChannel((await client.send('readListingChannels', asked)).answer);
};

const refuseIfLiveElsewhere = async (remembered: RelistContext, input: ParsedInput<'relistListing'>): Promise<void> => {
  const channelId = await readOtherLiveChannel(remembered, input);
  if (channelId === null) return;
  const asked = requireRouteInput('listChannels', {});
  const { answer } =
    remembered.cachedAnswer('listChannels', asked)?.answer ?? (await remembered.client.send('listChannels', asked));
  throw createProblem('WRONG_STATE.liveElsewhere', {
    field: 'status',
    values: { channel: cleanChannelName(findChannelName(answer, channelId)) },
  });
};

/**
 * Sends a relist and verifies it against the listing: without an approval, only the answer reports the result, and
 * the answer alone is no proof.
 */
const sendCheckedRelist: SendRelist = async (remembered, input, options) => {
  const knownBefore = new Set(remembered.knownIds());
  try {
    const { status, headers, answer } = await remembered.client.send('relistListing', input, options);
    if (isDeniedInBody('relistListing', answer)) throw createDeniedAnswerError(status, answer);
    const relisted = toRelistedInput(input, status, answer);
    const { listingId } = relisted.params;
    // A different listing that existed before cannot be the result.
    if (listingId !== input.params.listingId && knownBefore.has(listingId)) throw createProblem('CONTRADICTED');
    return { status, headers, answer: await readRelistedListing(remembered, relisted) };
  } catch (error) {
    if (error instanceof ServiceError) return settleFailedRelist(remembered, input, error);
    throw error;
  }
};

/** Reads the listing after each wait until it shows the relist; undefined if it could not be read. */
const readRelistVerdict = async (
  { client, clock, pacing }: RelistContext,
  input: ParsedInput<'relistListing'>,
  waits: readonly (Wait | null)[],
): Promise<Verdict | undefined> => {
  let verdict: Verdict | undefined;
  for (const wait of waits) {
    if (wait !== null) await clock.sleep(pacing.drawWaitMs(wait));
    verdict = await reconcileByReading({ route: 'relistListing', input }, client).catch(() => undefined);
    if (verdict?.shows === 'done') break;
  }
  return verdict;
};

/** Returns the listing that the relist produced: the requested one or a new one. Throws if the answer names none. */
const toRelistedInput = (
  input: ParsedInput<'relistListing'>,
  status: number,
  answer: unknown,
): ParsedInput<'relistListing'> => {
  const { listingId = input.params.listingId } = toRecordOrEmpty(answer);
  const parsed = typeof listingId === 'string' ? parseRouteInput('relistListing', { params: { listingId } }) : null;
  if (parsed?.ok) return parsed.input;
  throw new ServiceError({ ...createProblemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status });
};

/** Reads the listing until it is in review; the answer's own copy is no proof. */
const readRelistedListing = async (
  remembered: RelistContext,
  input: ParsedInput<'relistListing'>,
): Promise<Record<string, unknown>> => {
  const verdict = await readRelistVerdict(remembered, input, claimReadingWaits);
  // There is no approval for it, so nothing retries the check later.
  if (verdict?.shows !== 'done') throw createProblem(verdict ? 'CONTRADICTED' : 'UNCONFIRMED.unreadUnwatched');
  return toRecordOrEmpty(verdict.body);
};

/** Handles a refusal or a lost answer: throws the known outcome, unless reading shows that the relist was done. */
const settleFailedRelist = async (
  remembered: RelistContext,
  input: ParsedInput<'relistListing'>,
  error: ServiceError,
): Promise<ServiceAnswer<'relistListing'>> => {
  const isRefused = error.effect !== 'unclear';
  if (isRefused && (error.status < 400 || unreadableStatuses.includes(error.status))) throw error;
  const verdict = await readRelistVerdict(remembered, input, isRefused ? [null] : readingWaits);
  const isDone = verdict?.shows === 'done';
  if (isDone && !isRefused) return { status: 200, headers: {}, answer: toRecordOrEmpty(verdict.body) };
  if (isRefused) throw isDone ? new ServiceError({ ...error, ...createRefusedYetDoneOutcome(error) }) : error;
  const told = createUnconfirmedOutcome(false, error);
  // After complete silence the service may still be processing the request.
  const { code, sentence, says } = verdict?.shows === 'undone' && !error.silent ? createUndoneOutcome(told) : told;
  throw new Problem(code ?? error.code, sentence, { says, cause: error });
};
