import {
  getChannelName,
  parseChannelStates,
  parseTrustedInput,
  limits,
  marketChannel,
  parseRouteInput,
  type ParsedInput,
} from '../../../contract/index.ts';
import { cleanChannelName } from '../../approvals/prompts/channels.ts';
import {
  createDeniedAnswerError,
  isDeniedInBody,
  createRefusedYetDoneOutcome,
  createUnconfirmedOutcome,
  createUndoneOutcome,
} from '../../approvals/outcomes/outcomes.ts';
import { unreadableStatuses } from '../../approvals/outcomes/settle.ts';
import { reconcileByReading, type Verdict } from '../../approvals/outcomes/reconcile.ts';
import { toRecordOrEmpty } from '../../base/json.ts';
import type { Clock } from '../../base/ports.ts';
import { Problem, createProblem, createProblemText } from '../../base/problem.ts';
import { delaysAfterAnswer, delaysAfterLostAnswer } from '../../service/pacing/lostAnswers.ts';
import type { Pacing } from '../../service/pacing/pacing.ts';
import type { DelayName } from '../../service/pacing/waits.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../../service/serviceClient.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { ResponseCache } from '../../service/throttle/responseCache.ts';

type RelistContext = Pick<ResponseCache, 'client' | 'cachedAnswer'> & {
  clock: Clock;
  pacing: Pacing;
  knownIds: () => readonly string[];
};

/**
 * Refuses to relist a listing that is live on another channel. A relisted listing can be edited, and publishing it
 * again would change the other channel without an approval.
 */
export const guardRelistClient = (remembered: RelistContext): ServiceClient => ({
  send: (route, input, options) =>
    route === 'relistListing'
      ? (sendRelistUnlessLiveElsewhere(remembered, parseTrustedInput('relistListing', input), options) as Promise<
          ServiceAnswer<typeof route>
        >)
      : remembered.client.send(route, input, options),
});

type SendRelist = (
  remembered: RelistContext,
  input: ParsedInput<'relistListing'>,
  options: SendOptions | undefined,
) => Promise<ServiceAnswer<'relistListing'>>;

const findOtherLiveChannel = (answer: unknown): string | null =>
  parseChannelStates(answer).find(({ channelId, isLive }) => isLive && channelId !== marketChannel)?.channelId ?? null;

/**
 * A recent cached answer is enough to refuse, so that a client in a loop does not reach the service. Only a new answer
 * can permit a relist.
 */
const readOtherLiveChannel = async (
  { client, cachedAnswer }: RelistContext,
  { params }: ParsedInput<'relistListing'>,
): Promise<string | null> => {
  const asked = parseTrustedInput('readListingChannels', { params });
  const kept = cachedAnswer('readListingChannels', asked);
  const known = kept !== null && kept.ageMs <= limits.pollMs.least ? findOtherLiveChannel(kept.answer.answer) : null;
  return known ?? findOtherLiveChannel((await client.send('readListingChannels', asked)).answer);
};

const refuseIfLiveElsewhere = async (remembered: RelistContext, input: ParsedInput<'relistListing'>): Promise<void> => {
  const channelId = await readOtherLiveChannel(remembered, input);
  if (channelId === null) return;
  const asked = parseTrustedInput('listChannels', {});
  const { answer } =
    remembered.cachedAnswer('listChannels', asked)?.answer ?? (await remembered.client.send('listChannels', asked));
  throw createProblem('WRONG_STATE.liveElsewhere', {
    field: 'status',
    values: { channel: cleanChannelName(getChannelName(answer, channelId)) },
  });
};

const sendRelistUnlessLiveElsewhere: SendRelist = async (remembered, input, options) => {
  await refuseIfLiveElsewhere(remembered, input);
  return sendCheckedRelist(remembered, input, options);
};

/**
 * Sends the relist and then reads the listing to confirm the answer. A relist has no approval, so its result would not
 * be checked later.
 */
const sendCheckedRelist: SendRelist = async (remembered, input, options) => {
  const knownBefore = new Set(remembered.knownIds());
  try {
    const { status, headers, answer } = await remembered.client.send('relistListing', input, options);
    if (isDeniedInBody('relistListing', answer)) throw createDeniedAnswerError(status, answer);
    const relisted = toRelistedInput(input, status, answer);
    const { listingId } = relisted.params;
    // If another listing existed before the relist, it cannot be the result.
    if (listingId !== input.params.listingId && knownBefore.has(listingId)) throw createProblem('CONTRADICTED');
    return { status, headers, answer: await readRelistedListing(remembered, relisted) };
  } catch (error) {
    if (error instanceof ServiceError) return handleFailedRelist(remembered, input, error);
    throw error;
  }
};

/** Reads the listing until it shows the relist. Returns undefined if it cannot be read. */
const readRelistVerdict = async (
  { client, clock, pacing }: RelistContext,
  input: ParsedInput<'relistListing'>,
  waits: readonly (DelayName | null)[],
): Promise<Verdict | undefined> => {
  let verdict: Verdict | undefined;
  for (const wait of waits) {
    if (wait !== null) await clock.sleep(pacing.getRandomDelayMs(wait));
    verdict = await reconcileByReading({ route: 'relistListing', input }, client).catch(() => undefined);
    if (verdict?.shows === 'done') break;
  }
  return verdict;
};

/** Returns the listing that the relist created, which can have another id. Throws if the answer has no valid id. */
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

/** Reads the listing, because its copy in the response to the relist is no proof. */
const readRelistedListing = async (
  remembered: RelistContext,
  input: ParsedInput<'relistListing'>,
): Promise<Record<string, unknown>> => {
  const verdict = await readRelistVerdict(remembered, input, delaysAfterAnswer);
  if (verdict?.shows !== 'done') throw createProblem(verdict ? 'CONTRADICTED' : 'UNCONFIRMED.unreadUnwatched');
  return toRecordOrEmpty(verdict.body);
};

/** Throws an error, unless the response was lost and the listing shows that the relist was done. */
const handleFailedRelist = async (
  remembered: RelistContext,
  input: ParsedInput<'relistListing'>,
  error: ServiceError,
): Promise<ServiceAnswer<'relistListing'>> => {
  const isRefused = error.effect !== 'unclear';
  if (isRefused && (error.status < 400 || unreadableStatuses.includes(error.status))) throw error;
  const verdict = await readRelistVerdict(remembered, input, isRefused ? [null] : delaysAfterLostAnswer);
  const isDone = verdict?.shows === 'done';
  if (isDone && !isRefused) return { status: 200, headers: {}, answer: toRecordOrEmpty(verdict.body) };
  // A listing that was in review before the request agrees with a refusal because of its state.
  if (isRefused)
    throw isDone && error.code !== 'WRONG_STATE'
      ? new ServiceError({ ...error, ...createRefusedYetDoneOutcome(error) })
      : error;
  const told = createUnconfirmedOutcome(false, error);
  // If the service did not respond at all, it might still run the request.
  const { code, sentence, says } = verdict?.shows === 'undone' && !error.silent ? createUndoneOutcome(told) : told;
  throw new Problem(code ?? error.code, sentence, { says, cause: error });
};
