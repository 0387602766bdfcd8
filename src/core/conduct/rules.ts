import { limits, routeOf, type RouteName } from '../../contract/index.ts';

/** How long an answer stands for an assistant that asks the same again. `throughWrites`: also when something was written meanwhile. */
type Stands = { ms: number; throughWrites?: boolean };

const minute = 60_000;

/** What the interface asks not to poll and not to loop on: within this time the assistant gets the answer that was kept. */
const stands: Partial<Record<RouteName, Stands>> = {
  readListing: { ms: minute },
  listNotifications: { ms: limits.notificationsPollMs, throughWrites: true },
  listPolicies: { ms: minute },
  searchComps: { ms: minute, throughWrites: true },
  readItemSales: { ms: minute, throughWrites: true },
  readDaySales: { ms: minute, throughWrites: true },
  readInsightsSummary: { ms: minute },
  readInventory: { ms: minute },
  readSubscription: { ms: minute },
  validateTemplate: { ms: minute, throughWrites: true },
  quoteFees: { ms: minute },
};

/** Requests that do something and may not be made in a loop either: within this time they are refused. */
export const spacedMs: Partial<Record<RouteName, number>> = { hydrateListing: minute };

/** A listing that is being written may be polled, every five seconds; any other changes only when somebody changes it. */
export const standsFor = (route: RouteName, answer: unknown): Stands | null => {
  const rule = stands[route] ?? null;
  const writing = answer !== null && typeof answer === 'object' && 'status' in answer && answer.status === 'processing';
  return rule && route === 'readListing' && writing ? { ms: limits.pollMs.least } : rule;
};
export const isKept = (route: RouteName): boolean => stands[route] !== undefined;

/** Requests with a body that change nothing at the service. */
export const looks: readonly RouteName[] = ['quoteFees', 'validateTemplate', 'checkPromoCode', 'hydrateListing'];
export const writes = (route: RouteName): boolean => routeOf(route).method !== 'GET' && !looks.includes(route);
