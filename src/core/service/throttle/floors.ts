import { limits, getRouteByName, type RouteName } from '../../../contract/index.ts';

/**
 * The minimum interval between equal calls of assistants, so that an assistant in a loop does not flood the service.
 */
export type Floor = {
  /** An equal call within this many ms gets the cached answer. */
  ms: number;
  /** The maximum number of calls per minute for all assistants together. */
  perMinute: number;
  /**
   * Which calls are equal. `declared`: equal contract parameters. `account`: all calls of the route. `listing`: equal
   * path parameters. `content`: equal bodies.
   */
  of: 'declared' | 'account' | 'listing' | 'content';
  /** The call has an effect at the marketplace, so an equal call is refused. */
  once?: true;
  /** Parameters that only narrow the answer. */
  ignores?: readonly string[];
  /** A write does not change the answer. */
  throughWrites?: true;
  /** While a page of the service is open, the person can change the answer on it, so the answer is read more often. */
  onPages?: true;
  /** If the calls of this minute are used up, the last answer is given, although a write might have changed it. */
  staleWhenLimited?: true;
};

const minute = 60_000;
const usualFloor: Floor = { ms: minute, perMinute: 60, of: 'declared' };
const rareRead: Floor = { ...usualFloor, perMinute: 6 };

/** Each of these reads creates a link. */
const linkCreatingRoutes: readonly RouteName[] = ['readMarketAuthUrl', 'connectChannel'];

const floors: Partial<Record<RouteName, Floor>> = {
  listNotifications: {
    ms: limits.notificationsPollMs,
    perMinute: 1,
    of: 'account',
    ignores: ['limit'],
    throughWrites: true,
  },
  listListings: { ...usualFloor, perMinute: 30 },
  searchComps: { ...rareRead, throughWrites: true },
  readItemSales: { ...rareRead, throughWrites: true },
  readDaySales: { ...rareRead, throughWrites: true },
  readInsightsSummary: rareRead,
  readInventory: rareRead,
  readSubscription: { ...rareRead, onPages: true },
  readStanding: { ...rareRead, onPages: true, staleWhenLimited: true },
  readMarketStatus: { ...rareRead, onPages: true, staleWhenLimited: true },
  listMarketAccounts: { ...rareRead, onPages: true },
  listConnections: { ...rareRead, onPages: true },
  listChannels: rareRead,
  listPlans: rareRead,
  listPolicies: { ...usualFloor, perMinute: 12 },
  validateTemplate: { ...rareRead, of: 'content', throughWrites: true },
  quoteFees: { ...usualFloor, perMinute: 20 },
  generateListing: { ms: limits.pollMs.least, perMinute: 20, of: 'listing', once: true },
  hydrateListing: { ms: minute, perMinute: 10, of: 'listing', once: true },
};

/**
 * If a route has no floor of its own, returns the usual floor for a read, and null for a write or for a read that
 * creates something.
 */
export const findRouteFloor = (route: RouteName): Floor | null =>
  floors[route] ?? (getRouteByName(route).method === 'GET' && !linkCreatingRoutes.includes(route) ? usualFloor : null);

/**
 * Returns whether an assistant's call must not be retried, because it can have an effect or the service limits its
 * rate.
 */
export const mustSendOnce = (route: RouteName): boolean => {
  const floor = findRouteFloor(route);
  return floor !== null && (getRouteByName(route).method !== 'GET' || floor.of === 'account');
};

/** Returns whether an answer is a listing in generation. Only such a listing changes without a write. */
export const isBeingGenerated = (answer: unknown): boolean =>
  answer !== null && typeof answer === 'object' && 'status' in answer && answer.status === 'processing';

/** Returns how long a cached answer is valid for assistants, in ms. */
export const getMaxAgeMs = (route: RouteName, floor: Floor, answer: unknown, isPageOpen: boolean): number =>
  (floor.onPages && isPageOpen) || (route === 'readListing' && isBeingGenerated(answer))
    ? limits.pollMs.least
    : floor.ms;

/** Requests with a body that change nothing at the service. */
export const readRoutesWithBody: readonly RouteName[] = [
  'quoteFees',
  'validateTemplate',
  'checkPromoCode',
  'hydrateListing',
];
export const isWriteRoute = (route: RouteName): boolean =>
  getRouteByName(route).method !== 'GET' && !readRoutesWithBody.includes(route);

/** Writes that change only notifications, which are kept through writes. */
const notificationWrites: readonly RouteName[] = ['readNotification', 'markNotificationsViewed'];

/** Returns whether a request of this route can change an answer that is kept. */
export const changesKeptAnswers = (route: RouteName): boolean =>
  isWriteRoute(route) && !notificationWrites.includes(route);
