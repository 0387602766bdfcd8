import type { RouteName } from './routes/index.ts';

/** What a request does to something that others see, or to a connection. */
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

/** The act of a route; null for one that does none of these. The marketplace's own routes and those of channels do the same. */
export const actOf = (route: RouteName): Act | null => acts.find(([name]) => name === route)?.[1] ?? null;

/** The routes of some acts. */
export const routesOfActs = (...wanted: Act[]): RouteName[] =>
  acts.flatMap(([route, act]) => (wanted.includes(act) ? [route] : []));

/** The routes that change how a listing stands on named channels. */
export const routesOfChannels: readonly RouteName[] = [
  'publishChannels',
  'reviseChannels',
  'endChannels',
  'deleteFromChannels',
];
