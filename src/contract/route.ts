import type * as z from 'zod';

/** Who may call a route, as the interface names it. */
export type Access = 'agent' | 'human_only' | 'internal' | 'public_browser' | 'public_info';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Cost = 'uses_listing' | 'market_fees' | 'plan_charge' | 'extras';
export const quotas = [
  'trading',
  'fee_verify',
  'account',
  'taxonomy',
  'browse',
  'fulfillment',
  'payment',
  'extras_approval',
] as const;
export type Quota = (typeof quotas)[number];

/**
 * One route of the interface as data. What is not stated has its plain value: no question to the person, reversible,
 * no cost, no quota, status 200. `askFirstWhen` holds `field` or `field=value` of the body, never a closure, so that it
 * can be published, compared and made stricter by the live route list.
 */
export type Route = {
  group: Group;
  method: Method;
  path: string;
  summary: string;
  access: 'agent' | 'public_info';
  /** Anybody may read it, and the answer to the one whose key is sent is about that person. */
  personalWithKey?: true;
  askFirst?: boolean;
  askFirstWhen?: readonly string[];
  reversible?: boolean;
  cost?: Cost;
  quota?: Quota;
  /** True when sending the same request again has no second effect. GET, PUT and DELETE are; of the others only those that say so. */
  repeatable?: boolean;
  status?: number;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The fields of the body, where the interface names every one of them. */
  bodyFields?: readonly string[];
  answer: z.ZodType;
  /**
   * The answer is a page that only the person may open: the field with its address, and the fields that an assistant may
   * see. No other field reaches an assistant.
   */
  personPage?: { address: string; visible: readonly string[] };
  /** What looks like an address in the answer leads to pages of the person: an assistant gets none but `openAddresses`. */
  namesPersonPages?: true;
};

/** Builds a schema. */
type Build<S> = S extends z.ZodType ? () => S : never;
type Built<P> = P extends () => infer S ? S : P;
/** A route as it is written down: with what builds each of its schemas. */
type WrittenRoute = { [K in keyof Route]: Route[K] | Build<Route[K]> };

/** A route whose schemas are built when they are first asked for. */
const routeFrom = (written: WrittenRoute): object => {
  const route = {};
  for (const [name, value] of Object.entries(written))
    if (typeof value !== 'function') Object.assign(route, { [name]: value });
    else {
      let built: unknown;
      Object.defineProperty(route, name, { enumerable: true, get: () => (built ??= value()) });
    }
  return route;
};

/**
 * The routes of a group. A start asks for few of their schemas, and building them all would take longer than any other part
 * of it: each is built when it is first asked for.
 */
export const routesOf = <const R extends Record<string, WrittenRoute>>(written: R) =>
  Object.fromEntries(Object.entries(written).map(([name, route]) => [name, routeFrom(route)])) as {
    [N in keyof R]: { [K in keyof R[N]]: Built<R[N][K]> };
  };

/** The groups of the interface, in its order. */
export const groups = [
  'Account and notifications',
  'Listings',
  'Marketplace account, publishing and catalogue',
  'Insights',
  'Billing and credits',
  'Other channels',
  'Agent connection and discovery',
] as const;
export type Group = (typeof groups)[number];

/** The names in braces of a path template, in order: `/a/{b}/{c}` → `['b', 'c']`. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** Whether a request of this route is sent with the key, where there is one. */
export const takesKey = ({ access, personalWithKey }: Route): boolean => access === 'agent' || personalWithKey === true;

/** Whether a request of this route may be sent again when its answer was lost. */
export const isRepeatable = (route: Route): boolean =>
  route.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(route.method);
