import { inputOf, limits } from '../../../contract/index.ts';
import { canonical } from '../../base/canonicalJson.ts';
import type { Changed, Clock } from '../../base/ports.ts';
import type { ServiceClient } from '../serviceClient.ts';

type Parts = { clock: Clock; changed: Changed; client: ServiceClient };

/** What pages of the service's change: the plan, the connection to the marketplace, other channels. */
const told = async (client: ServiceClient, signal: AbortSignal): Promise<string> => {
  const read = async (route: 'readStanding' | 'readMarketStatus' | 'listConnections'): Promise<unknown> =>
    (await client.send(route, inputOf(route, {}), { signal })).answer;
  const [standing, ...rest] = await Promise.all([
    read('readStanding'),
    read('readMarketStatus'),
    read('listConnections'),
  ]);
  // The rest of the standing moves with every listing that is written.
  return canonical([(standing as { plan?: unknown }).plan, ...rest]);
};

export type PageWatch = ReturnType<typeof createPageWatch>;

/**
 * Pages of the service's that the person was sent to: sign-in, checkout, another channel. Nobody tells the companion
 * what happens there, so standing and connections are read every five seconds until they are different, for as long as
 * such a page works, and the windows are told.
 */
export const createPageWatch = ({ clock, changed, client }: Parts) => {
  let openUntil = 0;
  let watching: AbortController | null = null;
  const isOpen = (): boolean => clock.now() < openUntil;

  const look = (signal: AbortSignal): Promise<string | null> => told(client, signal).catch(() => null);

  const watch = async ({ signal }: AbortController): Promise<void> => {
    let before = await look(signal);
    while (isOpen() && !signal.aborted) {
      await clock.sleep(limits.pollMs.least, signal);
      const now = await look(signal);
      if (before !== null && now !== null && now !== before) {
        openUntil = 0;
        for (const topic of ['setup', 'account'] as const) changed(topic);
      }
      before = now ?? before;
    }
  };

  return {
    isOpen,
    /** The person was given a page now. */
    opened: (): void => {
      openUntil = clock.now() + limits.connectLinkMs;
      if (watching) return;
      const own = new AbortController();
      watching = own;
      const over = (): void => {
        if (watching === own) watching = null;
      };
      watch(own).then(over, over);
    },
    stop: (): void => {
      openUntil = 0;
      watching?.abort();
      watching = null;
    },
  };
};
