import { parseTrustedInput, limits, type Listing } from '../../contract/index.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';
import type { CoreServices } from './coreServices.ts';
import type { ListingReads, StandingMemory } from './keptAnswers.ts';
import { isUnknownAtService } from '../service/serviceError.ts';
import { createThrottle, type Throttle, createListingReader } from '../service/throttle/throttle.ts';
import { createGenerationLimiter } from '../service/throttle/generationLimiter.ts';

export type CompanionThrottle = {
  requests: Throttle;
  /** Limits the generations of items and assistants together to five at a time. */
  writingSemaphore: Semaphore;
  resume: () => void;
  stop: () => void;
};

export const openCompanionThrottle = (
  parts: CoreServices,
  { keep, noteMissing }: ListingReads,
  memory: StandingMemory,
): CompanionThrottle => {
  const { clock, connection, itemsTable, generations, answers } = parts;
  const readListing = createListingReader(answers, answers.shared);
  const writingSemaphore = createSemaphore(limits.concurrentGenerations);

  const read = async (listingId: string, signal: AbortSignal): Promise<Listing | null> => {
    try {
      const input = parseTrustedInput('readListing', { params: { listingId } });
      const { answer, source } = await readListing('readListing', input, { signal, unattended: 'look' });
      if (source === 'service') keep(answer);
      return answer;
    } catch (error) {
      if (!isUnknownAtService(error)) throw error;
      noteMissing(listingId);
      return null;
    }
  };
  const generationLimiter = createGenerationLimiter({
    clock,
    writingSemaphore,
    read,
    standing: memory.read,
    itemsOnExtras: () => itemsTable.extrasInFlight(connection.account()),
  });

  return {
    requests: createThrottle(answers, generationLimiter, readListing),
    writingSemaphore,
    resume: () => {
      if (connection.state() !== 'connected') return;
      const account = connection.account();
      for (const { listingId, extra } of generations.underWay(account)) {
        if (itemsTable.ofListing(account, listingId) === null) generationLimiter.resume(listingId, extra);
      }
    },
    stop: generationLimiter.stop,
  };
};
