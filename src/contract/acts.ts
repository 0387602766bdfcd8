import type { RouteName } from './routes/index.ts';

export type Act = 'publish' | 'revise' | 'end' | 'delete' | 'disconnect';

const acts: readonly (readonly [RouteName, Act])[] = [
  ['publishListing', 'publish'],
  ['publishChannels', 'publish'],
  ['reviseListing', 'revise'],
  ['reviseChannels', 'revise'],
  ['endListing', 'end'],
  ['endChannels', 'end'],
  ['deleteListing', 'delete'],
  ['disconnectMarket', 'disconnect'],
  ['deleteConnection', 'disconnect'],
  ['revokeCurrentKey', 'disconnect'],
];

/** Returns the `Act` of a route, or null if the route has none. */
export const findRouteAct = (route: RouteName): Act | null => acts.find(([name]) => name === route)?.[1] ?? null;

export const listRoutesByAct = (...wantedActs: Act[]): RouteName[] =>
  acts.flatMap(([route, act]) => (wantedActs.includes(act) ? [route] : []));

export const channelActRoutes: readonly RouteName[] = [
  'publishChannels',
  'reviseChannels',
  'endChannels',
  'deleteFromChannels',
];
