import { routeOf, type ParsedInput, type RouteName } from '../contract/index.ts';
import type { ServiceClient } from './service/serviceClient.ts';

type Live = { access: string; askFirst: boolean; askFirstWhen: readonly string[] };

/** The service's own list of routes. It can make the rules stricter, never looser. */
export const createLiveRoutes = (client: ServiceClient) => {
  let records = new Map<string, Live>();
  return {
    /** Reads the list; without an answer the last one stands. */
    refresh: async (): Promise<void> => {
      const { answer } = await client.send('readRoutes', {} as ParsedInput<'readRoutes'>);
      records = new Map(answer.routes.map((record) => [`${record.method} ${record.path}`, record]));
    },
    of: (name: RouteName): { live?: Live; refused: boolean } => {
      const { method, path } = routeOf(name);
      const live = records.get(`${method} ${path}`);
      return {
        ...(live ? { live } : {}),
        refused: live !== undefined && live.access !== 'agent' && live.access !== 'public_info',
      };
    },
  };
};
