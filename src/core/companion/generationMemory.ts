import { listingIdOf } from '../base/listingIdOf.ts';
import type { Foundation } from './foundation.ts';
import type { AskerCheckContext } from './askerCheck.ts';
import type { PerformContext } from './perform.ts';

/** What is known of writings that were asked for: a second one of a listing needs the person. */
export const generationMemory = ({
  generations,
  written,
  connection,
  clock,
  live,
}: Foundation): Pick<AskerCheckContext, 'known'> & Pick<PerformContext, 'generations'> => {
  const note = (listingId: string, state: 'sent' | 'started' | 'not_started', extras: string | null = null) =>
    generations.note(connection.account(), listingId, state, clock.now(), extras);
  return {
    known: (route, input) => {
      const listingId = listingIdOf(input);
      // Asked of the disk only where the answer matters: this runs with every request of every assistant.
      const state =
        route === 'generateListing' && listingId !== null ? generations.state(connection.account(), listingId) : null;
      return { ...live.of(route), generatedBefore: state !== null && state !== 'not_started' };
    },
    generations: {
      sent: (listingId, extrasApproval) => note(listingId, 'sent', extrasApproval),
      settled: (listingId, started) => {
        note(listingId, started ? 'started' : 'not_started');
        if (started) written.forget(connection.account(), listingId);
      },
    },
  };
};
