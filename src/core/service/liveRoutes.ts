import { writes } from './throttle/floors.ts';
import { inputOf, routeOf, type RouteName } from '../../contract/index.ts';
import { type SendOptions, type ServiceClient } from './serviceClient.ts';

type Live = { access: string; askFirst: boolean; askFirstWhen: readonly string[] };

/** The service's own list of routes. It can make the rules stricter, never looser. */
export type LiveRoutes = {
  /** Reads the list; without an answer the last one stands. Throws `ServiceError`. */
  refresh: (options?: Pick<SendOptions, 'signal' | 'unattended'>) => Promise<void>;
  /** Has it read as soon as something is to be written, where it was to be read later. */
  readBeforeWrites: (read: () => void) => void;
  /** What the list says of a route; `refused` says that assistants may not call it any more. */
  of: (name: RouteName) => { live?: Live; refused: boolean };
};

export const createLiveRoutes = (client: ServiceClient): LiveRoutes => {
  let records = new Map<string, Live>();
  let wanted: (() => void) | null = null;
  return {
    refresh: async (options = {}) => {
      const { answer } = await client.send('readRoutes', inputOf('readRoutes', {}), options);
      records = new Map(answer.routes.map((record) => [`${record.method} ${record.path}`, record]));
      wanted = null;
    },
    readBeforeWrites: (read) => void (wanted = read),
    of: (name) => {
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
