import { limits, routeOf, type RouteName } from '../../../contract/index.ts';

/** What an assistant may ask of the service by one route, so that no loop of its own reaches the service. */
export type Floor = {
  /** The same call again within this time, in ms, gets the answer that was kept. */
  ms: number;
  /** How many calls of all assistants reach the service within a minute, whatever they differ in. */
  perMinute: number;
  /**
   * What makes two calls the same. `declared`: the parameters that the contract names. `account`: any two calls of the
   * route, the companion's own among them. `listing`: those about one thing. `content`: the whole body, of which the
   * contract names nothing.
   */
  of: 'declared' | 'account' | 'listing' | 'content';
  /** It does something at the marketplace: its answer is never given a second time, the call is refused instead. */
  once?: true;
  /** Parameters by which a call asks for less of the same. */
  ignores?: readonly string[];
  /** The answer stands also when something was written meanwhile. */
  throughWrites?: true;
  /** The person changes it on a page of the service's: while one is open, it is read as often as a listing in writing. */
  onPages?: true;
};

const minute = 60_000;
const usual: Floor = { ms: minute, perMinute: 60, of: 'declared' };
const rareRead: Floor = { ...usual, perMinute: 6 };

/** Reads that make something each time. */
const links: readonly RouteName[] = ['readMarketAuthUrl', 'connectChannel'];

const floors: Partial<Record<RouteName, Floor>> = {
  listNotifications: {
    ms: limits.notificationsPollMs,
    perMinute: 1,
    of: 'account',
    ignores: ['limit'],
    throughWrites: true,
  },
  listListings: { ...usual, perMinute: 30 },
  searchComps: { ...rareRead, throughWrites: true },
  readItemSales: { ...rareRead, throughWrites: true },
  readDaySales: { ...rareRead, throughWrites: true },
  readInsightsSummary: rareRead,
  readInventory: rareRead,
  readSubscription: { ...rareRead, onPages: true },
  readStanding: { ...rareRead, onPages: true },
  readMarketStatus: { ...rareRead, onPages: true },
  listMarketAccounts: { ...rareRead, onPages: true },
  listConnections: { ...rareRead, onPages: true },
  listChannels: rareRead,
  listPlans: rareRead,
  listPolicies: { ...usual, perMinute: 12 },
  validateTemplate: { ...rareRead, of: 'content', throughWrites: true },
  quoteFees: { ...usual, perMinute: 20 },
  generateListing: { ms: limits.pollMs.least, perMinute: 20, of: 'listing', once: true },
  hydrateListing: { ms: minute, perMinute: 10, of: 'listing', once: true },
};

/** The floor of a route; null for one that assistants may call as often as they like, as it writes or makes something. */
export const floorOf = (route: RouteName): Floor | null =>
  floors[route] ?? (routeOf(route).method === 'GET' && !links.includes(route) ? usual : null);

/**
 * Whether an assistant's read leaves once, also when the service has a fault: it has a body, by which it may do something,
 * or the interface limits how often the account may make it.
 */
export const leavesOnce = (route: RouteName): boolean => {
  const floor = floorOf(route);
  return floor !== null && (routeOf(route).method !== 'GET' || floor.of === 'account');
};

/** Whether an answer is of a listing that is being written: that may be polled, any other changes only when somebody changes it. */
export const isWriting = (answer: unknown): boolean =>
  answer !== null && typeof answer === 'object' && 'status' in answer && answer.status === 'processing';

/** How long, in ms, an answer stands for an assistant. */
export const maxAgeMs = (route: RouteName, floor: Floor, answer: unknown, isPageOpen: boolean): number =>
  (floor.onPages && isPageOpen) || (route === 'readListing' && isWriting(answer)) ? limits.pollMs.least : floor.ms;

/** Requests with a body that change nothing at the service. */
export const readsWithBody: readonly RouteName[] = [
  'quoteFees',
  'validateTemplate',
  'checkPromoCode',
  'hydrateListing',
];
export const writes = (route: RouteName): boolean => routeOf(route).method !== 'GET' && !readsWithBody.includes(route);
