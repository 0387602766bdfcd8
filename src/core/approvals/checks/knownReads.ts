import { type AnswerOf, inputOf, type RouteName } from '../../../contract/index.ts';
import type { Connection } from '../../service/connection.ts';
import type { ServiceClient } from '../../service/serviceClient.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { ResponseCache } from '../../service/throttle/responseCache.ts';
import { ofOneAccount } from '../ofOneAccount.ts';

/** Routes whose answers show what the service would refuse. They take no parameters and have no daily budget. */
export type KnownRead = Extract<
  RouteName,
  | 'readStanding'
  | 'listPlans'
  | 'listTemplates'
  | 'listConnections'
  | 'listChannels'
  | 'listMarketAccounts'
  | 'readMarketStatus'
>;

/** What is known of the service before the person is asked. */
export type Known = {
  /** The id of the connected person; null while disconnected. */
  userId: () => string | null;
  /**
   * Returns the answer of a route, cached for at most `mostMs` (and no longer than assistants' answers are cached); null if
   * it cannot be read.
   */
  answer: <N extends KnownRead>(route: N, mostMs?: number) => Promise<AnswerOf<N> | null>;
};

type KnownReadsContext = {
  connection: Pick<Connection, 'who'>;
  answers: Pick<ResponseCache, 'cachedAnswer'> & { shared: ServiceClient };
};

/** Creates reads through the assistants' cache, so that refused requests cannot make the service read more often. */
export const knownReads = ({ connection, answers }: KnownReadsContext): Known => {
  const reads = ofOneAccount(answers.shared, () => connection.who()?.account ?? null);
  const read = async <N extends KnownRead>(route: N, mostMs: number): Promise<AnswerOf<N>> => {
    const asked = inputOf(route, {});
    const kept = answers.cachedAnswer(route, asked);
    return (kept !== null && kept.ageMs <= mostMs ? kept.answer : await reads.send(route, asked)).answer;
  };
  return {
    userId: () => connection.who()?.userId ?? null,
    answer: async (route, mostMs = Infinity) => {
      try {
        return await read(route, mostMs);
      } catch (error) {
        // A failed read refuses nothing: the person is asked, and the service decides.
        if (error instanceof ServiceError) return null;
        throw error;
      }
    },
  };
};
