import {
  channelNameIn,
  channelStatesIn,
  inputOf,
  limits,
  type Listing,
  marketChannel,
  type ParsedInput,
} from '../../contract/index.ts';
import { plainChannel } from '../approvals/prompts/channels.ts';
import { problem } from '../base/problem.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';
import type { CoreServices } from './coreServices.ts';
import type { ListingReads, StandingMemory } from './keptAnswers.ts';
import { ServiceError } from '../service/serviceError.ts';
import { createThrottle, type Throttle, createListingReader } from '../service/throttle/throttle.ts';
import { createGenerationLimiter } from '../service/throttle/generationLimiter.ts';

export type CompanionThrottle = {
  /** Sends what needs no yes, by the interface's rules. */
  requests: Throttle;
  /** The five places for writings that items and assistants share. */
  places: Semaphore;
  /** After a start: what was being written for an assistant takes its place again. */
  resume: () => void;
  stop: () => void;
};

/** The throttle on the core's parts. */
export const openThrottle = (
  parts: CoreServices,
  { keep }: ListingReads,
  memory: StandingMemory,
): CompanionThrottle => {
  const { clock, connection, itemsTable, generations, answers } = parts;
  const readListing = createListingReader(answers, answers.shared);
  const places = createSemaphore(limits.concurrentGenerations);

  const read = async (listingId: string, signal: AbortSignal): Promise<Listing | null> => {
    try {
      const input = inputOf('readListing', { params: { listingId } });
      const { answer, source } = await readListing('readListing', input, { signal, unattended: 'look' });
      if (source === 'service') keep(answer);
      return answer;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    }
  };
  const writings = createGenerationLimiter({
    clock,
    places,
    read,
    standing: memory.read,
    itemsOnExtras: () => itemsTable.extrasInFlight(connection.account()),
  });

  return {
    requests: refusingLiveElsewhere(createThrottle(answers, writings, readListing), answers.shared),
    places,
    resume: () => {
      if (connection.state() !== 'connected') return;
      const account = connection.account();
      for (const { listingId, extra } of generations.underWay(account)) {
        if (itemsTable.ofListing(account, listingId) === null) writings.resume(listingId, extra);
      }
    },
    stop: writings.stop,
  };
};

/**
 * One that is brought back for review can be edited and published anew, so it may be live nowhere: what becomes of it on
 * another channel nobody would have said yes to. There it is ended first, which asks.
 */
const refusingLiveElsewhere = (requests: Throttle, client: ServiceClient): Throttle => ({
  ...requests,
  send: async (by, route, input, options) => {
    if (route === 'relistListing') await refuseLiveElsewhere(inputOf('relistListing', input), client, options.signal);
    return requests.send(by, route, input, options);
  },
});

const refuseLiveElsewhere = async (
  { params }: ParsedInput<'relistListing'>,
  client: ServiceClient,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const channelsOf = inputOf('readListingChannels', { params });
  const { answer } = await client.send('readListingChannels', channelsOf, { signal });
  const live = channelStatesIn(answer).find(({ channelId, isLive }) => isLive && channelId !== marketChannel);
  if (!live) return;
  const { answer: list } = await client.send('listChannels', inputOf('listChannels', {}), { signal });
  throw problem('WRONG_STATE.liveElsewhere', {
    field: 'status',
    values: { channel: plainChannel(channelNameIn(list, live.channelId)) },
  });
};
