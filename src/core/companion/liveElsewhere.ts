import {
  channelNameIn,
  channelStatesIn,
  inputOf,
  limits,
  marketChannel,
  type ParsedInput,
} from '../../contract/index.ts';
import { plainChannel } from '../approvals/prompts/channels.ts';
import { reconcile, type Verdict } from '../approvals/reconcile.ts';
import { recordOf } from '../base/json.ts';
import { problem } from '../base/problem.ts';
import { readingWaits } from '../service/pacing/lostAnswers.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import type { CoreServices } from './coreServices.ts';
import type { ResponseCache } from '../service/throttle/responseCache.ts';

type Remembered = Pick<ResponseCache, 'client' | 'cachedAnswer'> & Pick<CoreServices, 'clock' | 'pacing'>;

/**
 * The client, which brings nothing back for review that is live on another channel: there it can be edited and published
 * anew, and what becomes of it on that channel nobody would have said yes to. It is ended there first, which asks. Looked at
 * right before it is sent: a decision that it waited for may have put it there.
 */
export const refusingLiveElsewhere = (remembered: Remembered): ServiceClient => ({
  send: async (route, input, options) => {
    if (route !== 'relistListing') return remembered.client.send(route, input, options);
    await refuseLiveElsewhere(remembered, inputOf('relistListing', input));
    const answered = await remembered.client.send(route, input, options);
    await checkRelisted(remembered, inputOf('relistListing', input), answered.answer);
    return answered;
  },
});

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

/** Nobody says yes to a relist, so nothing but its answer tells of it: it is done where no reading says otherwise. */
const checkRelisted = async (
  { client, clock, pacing }: Remembered,
  input: ParsedInput<'relistListing'>,
  answer: unknown,
): Promise<void> => {
  const { listingId = input.params.listingId } = recordOf(answer);
  // Brought back as another listing: the old one tells nothing.
  if (listingId !== input.params.listingId) return;
  let verdict: Verdict | undefined;
  for (const wait of [null, ...readingWaits] as const) {
    if (wait !== null) await clock.sleep(pacing.draw(wait));
    verdict = await reconcile({ route: 'relistListing', input }, client).catch(() => undefined);
    if (verdict?.shows === 'done') return;
  }
  throw problem(verdict ? 'CONTRADICTED' : 'UNCONFIRMED.unread');
};
