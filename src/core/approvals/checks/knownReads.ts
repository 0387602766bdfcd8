import { type AnswerOf, parseTrustedInput, type RouteName } from '../../../contract/index.ts';
import type { Connection } from '../../service/connection.ts';
import type { ServiceClient } from '../../service/serviceClient.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { ResponseCache } from '../../service/throttle/responseCache.ts';
import { createAccountBoundClient } from '../prompts/accountBoundClient.ts';

/** Routes whose answers show what the service would refuse. These routes take no parameters. */
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

export type KnownState = {
  connectedUserId: () => string | null;
  /** Returns a cached answer that is at most `maxMs` old, or reads a new answer; null if the read fails. */
  readAnswer: <N extends KnownRead>(route: N, maxMs?: number) => Promise<AnswerOf<N> | null>;
};

type KnownReadsContext = {
  connection: Pick<Connection, 'who'>;
  answers: Pick<ResponseCache, 'cachedAnswer'> & { shared: ServiceClient };
};

/** Reads through the assistants' cache, so that refused requests do not cause more calls to the service. */
export const createKnownStateReader = ({ connection, answers }: KnownReadsContext): KnownState => {
  const reads = createAccountBoundClient(answers.shared, () => connection.who()?.account ?? null);
  const readCachedOrFreshAnswer = async <N extends KnownRead>(route: N, maxMs: number): Promise<AnswerOf<N>> => {
    const asked = parseTrustedInput(route, {});
    const kept = answers.cachedAnswer(route, asked);
    return (kept !== null && kept.ageMs <= maxMs ? kept.answer : await reads.send(route, asked)).answer;
  };
  return {
    connectedUserId: () => connection.who()?.userId ?? null,
    readAnswer: async (route, maxMs = Infinity) => {
      try {
        return await readCachedOrFreshAnswer(route, maxMs);
      } catch (error) {
        // A failed read must not refuse the request, because the service decides later.
        if (error instanceof ServiceError) return null;
        throw error;
      }
    },
  };
};
