import { isWriteRoute } from './throttle/floors.ts';
import { requireRouteInput, findRouteByName, type RouteName } from '../../contract/index.ts';
import { type SendOptions, type ServiceClient } from './serviceClient.ts';

type LiveRoute = { access: string; askFirst: boolean; askFirstWhen: readonly string[] };

/** The list of routes that the service publishes. It can make the rules stricter, never looser. */
export type LiveRoutes = {
  /** Reads the list. If the read fails, the previous list stays valid. Throws `ServiceError`. */
  refresh: (options?: Pick<SendOptions, 'signal' | 'unattended'>) => Promise<void>;
  /** Sets a delayed read, which runs early if a write request comes before it. */
  readBeforeWrites: (read: () => void) => void;
  /**
   * Returns the entry of a route in the list. `refused` means that assistants are no longer allowed to call the route.
   */
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
