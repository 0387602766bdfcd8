import { findListingId } from '../base/json.ts';
import type { CoreServices } from './coreServices.ts';
import type { AskerCheckContext } from './askerCheck.ts';
import type { PolicyContext } from './requests/routePolicy.ts';
import { getGenerationKey } from '../service/pacing/lostAnswers.ts';

/** Records requested generations, because a second generation of a listing needs an approval. */
export const createGenerationMemory = ({
  generations,
  written,
  connection,
  clock,
  live,
  lostAnswers,
}: CoreServices): Pick<AskerCheckContext, 'known'> & Pick<PolicyContext, 'generations'> => {
  const recordGenerationState = (
    account: string | null,
    listingId: string,
    state: 'sent' | 'started' | 'not_started',
    extras: string | null = null,
  ): void => {
    if (account !== null) generations.note(account, listingId, state, { at: clock.now(), extrasApproval: extras });
  };
  return {
    known: (route, input) => {
      const listingId = findListingId(input);
      // This runs for every request, so the database is read only for generations.
      const state =
        route === 'generateListing' && listingId !== null ? generations.state(connection.account(), listingId) : null;
      return { ...live.findRoute(route), generatedBefore: state !== null && state !== 'not_started' };
    },
    generations: {
      sent: (account, listingId, extrasApproval) => {
        if (account !== null) lostAnswers.sent(getGenerationKey(account, listingId));
        recordGenerationState(account, listingId, 'sent', extrasApproval);
      },
      settled: (account, listingId, started) => {
        recordGenerationState(account, listingId, started ? 'started' : 'not_started');
        if (started && account !== null) written.beginAnew(account, listingId);
      },
    },
  };
};
