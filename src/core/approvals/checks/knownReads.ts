import { type AnswerOf, inputOf, type RouteName } from '../../../contract/index.ts';
import type { Connection } from '../../service/connection.ts';
import type { ServiceClient } from '../../service/serviceClient.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { ResponseCache } from '../../service/throttle/responseCache.ts';
import { ofOneAccount } from '../ofOneAccount.ts';

/** Routes whose answers tell what the service would refuse. None of them takes parameters or has a budget of the day. */
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

/** What is known at the service before somebody is asked. */
export type Known = {
  /** The connected person's own id; null while nobody is connected. */
  userId: () => string | null;
  /**
   * What a route answers, or answered within the time in which an assistant gets the same again, at most `mostMs` ago; null
   * where it cannot be read.
   */
  answer: <N extends KnownRead>(route: N, mostMs?: number) => Promise<AnswerOf<N> | null>;
};

type KnownReadsContext = {
  connection: Pick<Connection, 'who'>;
  answers: Pick<ResponseCache, 'cachedAnswer'> & { shared: ServiceClient };
};

/** Reads that are kept as those of assistants are, so that what is refused is no way to have the service read more often. */
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
        // What could not be read refuses nobody: the person is asked, and the service decides.
        if (error instanceof ServiceError) return null;
        throw error;
      }
    },
  };
};
