import {
  channelNameIn,
  channelStatesIn,
  inputOf,
  limits,
  marketChannel,
  parseInput,
  type ParsedInput,
} from '../../contract/index.ts';
import { plainChannel } from '../approvals/prompts/channels.ts';
import {
  deniedAnswer,
  deniesItself,
  refusedYetDone,
  unconfirmedOutcome,
  undoneOutcome,
} from '../approvals/outcomes.ts';
import { unreadableStatuses } from '../approvals/settle.ts';
import { reconcile, type Verdict } from '../approvals/reconcile.ts';
import { recordOf } from '../base/json.ts';
import { Problem, problem, problemText } from '../base/problem.ts';
import { claimReadingWaits, readingWaits } from '../service/pacing/lostAnswers.ts';
import type { Wait } from '../service/pacing/waits.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { CoreServices } from './coreServices.ts';
import type { ResponseCache } from '../service/throttle/responseCache.ts';

type Remembered = Pick<ResponseCache, 'client' | 'cachedAnswer'> &
  Pick<CoreServices, 'clock' | 'pacing'> & {
    /** The listings of the connected account that are kept on this machine. */
    knownIds: () => readonly string[];
  };

/**
 * The client, which brings nothing back for review that is live on another channel: there it can be edited and published
 * anew, and what becomes of it on that channel nobody would have said yes to. It is ended there first, which asks. Looked at
 * right before it is sent: a decision that it waited for may have put it there.
 */
export const refusingLiveElsewhere = (remembered: Remembered): ServiceClient => ({
  send: async (route, input, options) => {
    if (route !== 'relistListing') return remembered.client.send(route, input, options);
    await refuseLiveElsewhere(remembered, inputOf('relistListing', input));
    return (await sendRelist(remembered, inputOf('relistListing', input), options)) as ServiceAnswer<typeof route>;
  },
});

type SendRelist = (
  remembered: Remembered,
  input: ParsedInput<'relistListing'>,
  options: SendOptions | undefined,
) => Promise<ServiceAnswer<'relistListing'>>;

const liveIn = (answer: unknown): string | null =>
  channelStatesIn(answer).find(({ channelId, isLive }) => isLive && channelId !== marketChannel)?.channelId ?? null;

/** Where it is live besides the marketplace. What was read a moment ago refuses, so that no loop reaches the service; only what is true now lets it pass. */
const readLive = async (
  { client, cachedAnswer }: Remembered,
  { params }: ParsedInput<'relistListing'>,
): Promise<string | null> => {
  const asked = inputOf('readListingChannels', { params });
  const kept = cachedAnswer('readListingChannels', asked);
  const known = kept !== null && kept.ageMs <= limits.pollMs.least ? liveIn(kept.answer.answer) : null;
  return known ?? liveIn((await client.send('readListingChannels', asked)).answer);
};

const refuseLiveElsewhere = async (remembered: Remembered, input: ParsedInput<'relistListing'>): Promise<void> => {
  const channelId = await readLive(remembered, input);
  if (channelId === null) return;
  const asked = inputOf('listChannels', {});
  const { answer } =
    remembered.cachedAnswer('listChannels', asked)?.answer ?? (await remembered.client.send('listChannels', asked));
  throw problem('WRONG_STATE.liveElsewhere', {
    field: 'status',
    values: { channel: plainChannel(channelNameIn(answer, channelId)) },
  });
};

/** Nobody says yes to a relist, so only its answer tells of it: that is held against the listing, whatever it says. */
const sendRelist: SendRelist = async (remembered, input, options) => {
  const knownBefore = new Set(remembered.knownIds());
  try {
    const { status, headers, answer } = await remembered.client.send('relistListing', input, options);
    if (deniesItself('relistListing', answer)) throw deniedAnswer(status, answer);
    const relisted = inputOfRelisted(input, status, answer);
    const { listingId } = relisted.params;
    // Another listing that was there before the act is not what it made.
    if (listingId !== input.params.listingId && knownBefore.has(listingId)) throw problem('CONTRADICTED');
    return { status, headers, answer: await readRelistedListing(remembered, relisted) };
  } catch (error) {
    if (error instanceof ServiceError) return settleFailed(remembered, input, error);
    throw error;
  }
};

/** Reads the listing until it shows the relist, or to the last of the waits; undefined where it could not be read. */
const readRelisted = async (
  { client, clock, pacing }: Remembered,
  input: ParsedInput<'relistListing'>,
  waits: readonly (Wait | null)[],
): Promise<Verdict | undefined> => {
  let verdict: Verdict | undefined;
  for (const wait of waits) {
    if (wait !== null) await clock.sleep(pacing.draw(wait));
    verdict = await reconcile({ route: 'relistListing', input }, client).catch(() => undefined);
    if (verdict?.shows === 'done') break;
  }
  return verdict;
};

/** Names the listing that an answer brings back: the one that was asked for, or a new one. Throws where it names none. */
const inputOfRelisted = (
  input: ParsedInput<'relistListing'>,
  status: number,
  answer: unknown,
): ParsedInput<'relistListing'> => {
  const { listingId = input.params.listingId } = recordOf(answer);
  const parsed = typeof listingId === 'string' ? parseInput('relistListing', { params: { listingId } }) : null;
  if (parsed?.ok) return parsed.input;
  throw new ServiceError({ ...problemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status });
};

/** The listing as it reads once it is in review; what the answer says of it proves nothing. */
const readRelistedListing = async (
  remembered: Remembered,
  input: ParsedInput<'relistListing'>,
): Promise<Record<string, unknown>> => {
  const verdict = await readRelisted(remembered, input, claimReadingWaits);
  // No approval keeps it, so nothing looks again by itself.
  if (verdict?.shows !== 'done') throw problem(verdict ? 'CONTRADICTED' : 'UNCONFIRMED.unreadUnwatched');
  return recordOf(verdict.body);
};

/** A refusal, or no answer: throws what is known of it, unless reading shows that it is done. */
const settleFailed = async (
  remembered: Remembered,
  input: ParsedInput<'relistListing'>,
  error: ServiceError,
): Promise<ServiceAnswer<'relistListing'>> => {
  const isRefused = error.effect !== 'unclear';
  if (isRefused && (error.status < 400 || unreadableStatuses.includes(error.status))) throw error;
  const verdict = await readRelisted(remembered, input, isRefused ? [null] : readingWaits);
  const isDone = verdict?.shows === 'done';
  if (isDone && !isRefused) return { status: 200, headers: {}, answer: recordOf(verdict.body) };
  if (isRefused) throw isDone ? new ServiceError({ ...error, ...refusedYetDone(error) }) : error;
  const told = unconfirmedOutcome(false, error);
  // Where nothing at all came back, the service may still be at work on it.
  const { code, sentence, says } = verdict?.shows === 'undone' && !error.silent ? undoneOutcome(told) : told;
  throw new Problem(code ?? error.code, sentence, { says, cause: error });
};
