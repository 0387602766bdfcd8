import { inputOf, limits, type Listing } from '../../contract/index.ts';
import { createSemaphore } from '../base/semaphore.ts';
import type { Foundation } from './foundation.ts';
import type { ListingReads } from './listingReads.ts';
import type { StandingMemory } from './standing.ts';
import { ServiceError } from '../service/serviceError.ts';
import { createThrottle } from '../service/throttle/throttle.ts';
import { createListingReader } from '../service/throttle/listingReader.ts';
import { createGenerationLimiter } from '../service/throttle/generationLimiter.ts';

export type CompanionThrottle = ReturnType<typeof openThrottle>;

/** The rules of conduct on the core's parts; `places` are the five that items and assistants share. */
export const openThrottle = (parts: Foundation, { keep }: ListingReads, memory: StandingMemory) => {
  const { clock, connection, itemsTable, generations, answers } = parts;
  const readListing = createListingReader(answers, answers.shared);
  const places = createSemaphore(limits.concurrentGenerations);

  const read = async (listingId: string, signal: AbortSignal): Promise<Listing | null> => {
    try {
      const input = inputOf('readListing', { params: { listingId } });
      const { answer, source } = await readListing(input, { signal, unattended: 'look' });
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
    conduct: createThrottle(answers, writings, readListing),
    places,
    /** After a start: what was being written for an assistant takes its place again. */
    takeUp: (): void => {
      if (connection.state() !== 'connected') return;
      const account = connection.account();
      for (const { listingId, extra } of generations.underWay(account)) {
        if (itemsTable.ofListing(account, listingId) === null) writings.takeUp(listingId, extra);
      }
    },
    stop: writings.stop,
  };
};
