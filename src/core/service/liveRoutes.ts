import { isWriteRoute } from './throttle/floors.ts';
import { requireRouteInput, findRouteByName, type RouteName } from '../../contract/index.ts';
import { type SendOptions, type ServiceClient } from './serviceClient.ts';

type LiveRoute = { access: string; askFirst: boolean; askFirstWhen: readonly string[] };

/** The service's live list of routes. It can make the rules stricter, never looser. */
export type LiveRoutes = {
  /** Reads the list; if that fails, the previous one stays valid. Throws `ServiceError`. */
  refresh: (options?: Pick<SendOptions, 'signal' | 'unattended'>) => Promise<void>;
  /** Sets a delayed read, which runs early if a write request comes first. */
  readBeforeWrites: (read: () => void) => void;
  /** Returns the list's entry of a route; `refused` means that assistants may no longer call it. */
  findRoute: (name: RouteName) => { live?: LiveRoute; refused: boolean };
};

export const createLiveRoutes = (client: ServiceClient): LiveRoutes => {
  let records = new Map<string, LiveRoute>();
  let wanted: (() => void) | null = null;
  return {
    refresh: async (options = {}) => {
      const { answer } = await client.send('readRoutes', requireRouteInput('readRoutes', {}), options);
      records = new Map(answer.routes.map((record) => [`${record.method} ${record.path}`, record]));
      wanted = null;
    },
    readBeforeWrites: (read) => void (wanted = read),
    findRoute: (name) => {
      const { method, path } = findRouteByName(name);
      if (isWriteRoute(name)) wanted?.();
      const live = records.get(`${method} ${path}`);
      return {
        ...(live ? { live } : {}),
        refused: live !== undefined && live.access !== 'agent' && live.access !== 'public_info',
      };
    },
  };
};
