import { writes } from './throttle/floors.ts';
import { inputOf, routeOf, type RouteName } from '../../contract/index.ts';
import type { SendOptions, ServiceClient } from './serviceClient.ts';

type Live = { access: string; askFirst: boolean; askFirstWhen: readonly string[] };

export type LiveRoutes = ReturnType<typeof createLiveRoutes>;

/** The service's own list of routes. It can make the rules stricter, never looser. */
export const createLiveRoutes = (client: ServiceClient) => {
  let records = new Map<string, Live>();
  let wanted: (() => void) | null = null;
  return {
    /** Reads the list; without an answer the last one stands. */
    refresh: async (options: Pick<SendOptions, 'signal' | 'unattended'> = {}): Promise<void> => {
      const { answer } = await client.send('readRoutes', inputOf('readRoutes', {}), options);
      records = new Map(answer.routes.map((record) => [`${record.method} ${record.path}`, record]));
      wanted = null;
    },
    /** Has it read as soon as something is to be written, where it was to be read later. */
    readBeforeWrites: (read: () => void): void => void (wanted = read),
    of: (name: RouteName): { live?: Live; refused: boolean } => {
      const { method, path } = routeOf(name);
      if (writes(name)) wanted?.();
      const live = records.get(`${method} ${path}`);
      return {
        ...(live ? { live } : {}),
        refused: live !== undefined && live.access !== 'agent' && live.access !== 'public_info',
      };
    },
  };
};
