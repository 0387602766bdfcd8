import { isWriteRoute } from './throttle/floors.ts';
import { parseTrustedInput, getRouteByName, type RouteName } from '../../contract/index.ts';
import { type SendOptions, type ServiceClient } from './serviceClient.ts';

type LiveRoute = { access: string; askFirst: boolean; askFirstWhen: readonly string[] };

/** The routes that the service currently publishes. They can make the companion's own rules stricter, never looser. */
export type LiveRouteStore = {
  /** If the read fails, the previous list stays valid. Throws `ServiceError`. */
  refresh: (options?: Pick<SendOptions, 'signal' | 'unattended'>) => Promise<void>;
  /** Sets a function that `findRoute` calls before a write if the list has not been read. */
  readBeforeWrites: (read: () => void) => void;
  /** `refused` is true if assistants are no longer allowed to call the route. */
  findRoute: (name: RouteName) => { live?: LiveRoute; refused: boolean };
};

export const createLiveRouteStore = (client: ServiceClient): LiveRouteStore => {
  let records = new Map<string, LiveRoute>();
  let wanted: (() => void) | null = null;
  return {
    refresh: async (options = {}) => {
      const { answer } = await client.send('readRoutes', parseTrustedInput('readRoutes', {}), options);
      records = new Map(answer.routes.map((record) => [`${record.method} ${record.path}`, record]));
      wanted = null;
    },
    readBeforeWrites: (read) => void (wanted = read),
    findRoute: (name) => {
      const { method, path } = getRouteByName(name);
      if (isWriteRoute(name)) wanted?.();
      const live = records.get(`${method} ${path}`);
      return {
        ...(live ? { live } : {}),
        refused: live !== undefined && live.access !== 'agent' && live.access !== 'public_info',
      };
    },
  };
};
