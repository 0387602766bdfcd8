import type { RouteName } from './routes/index.ts';

/** The act of a request that changes a listing for others, or that ends a connection. */
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

/** Returns the act of a route, or null. Routes of the marketplace and of channels share the same acts. */
export const findRouteAct = (route: RouteName): Act | null => acts.find(([name]) => name === route)?.[1] ?? null;

export const listRoutesOfActs = (...wantedActs: Act[]): RouteName[] =>
  acts.flatMap(([route, act]) => (wantedActs.includes(act) ? [route] : []));

/** The routes that change a listing on named channels. */
export const routesOfChannels: readonly RouteName[] = [
  'publishChannels',
  'reviseChannels',
  'endChannels',
  'deleteFromChannels',
];
