import type * as z from 'zod';

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
 * A route of the interface as data. Omitted fields mean: no approval, reversible, no cost, no quota, status 200.
 * `askFirstWhen` has entries `field` or `field=value` of the body. They are data, so that the live route list can be
 * compared with them and make them stricter.
 */
export type Route = {
  group: Group;
  method: Method;
  path: string;
  summary: string;
  access: 'agent' | 'public_info';
  /** The route is public, but with a key its answer is about the key's person. */
  personalWithKey?: true;
  askFirst?: boolean;
  askFirstWhen?: readonly string[];
  reversible?: boolean;
  cost?: Cost;
  quota?: Quota;
  /** True if repeating the request has no second effect. Defaults to true for GET, PUT and DELETE only. */
  repeatable?: boolean;
  status?: number;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The fields of the body, if the interface documents all of them. */
  bodyFields?: readonly string[];
  answer: z.ZodType;
  /**
   * The answer contains the address of a page that only the person may open. An assistant gets only the `visible`
   * fields.
   */
  personPage?: { address: string; visible: readonly string[] };
  /** Addresses in the answer lead to pages of the person; an assistant gets only `openAddresses`. */
  namesPersonPages?: true;
};

type SchemaBuilder<S> = S extends z.ZodType ? () => S : never;
type BuiltSchema<P> = P extends () => infer S ? S : P;
/** A route as declared, with functions that build its schemas. */
type RouteDeclaration = { [K in keyof Route]: Route[K] | SchemaBuilder<Route[K]> };

/** Returns a route whose schemas are built on first use. */
const buildLazyRoute = (written: RouteDeclaration): object => {
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
 * Declares the routes of a group. Schemas are built on first use, because building all of them would dominate the
 * start.
 */
export const declareRoutes = <const R extends Record<string, RouteDeclaration>>(written: R) =>
  Object.fromEntries(Object.entries(written).map(([name, route]) => [name, buildLazyRoute(route)])) as {
    [N in keyof R]: { [K in keyof R[N]]: BuiltSchema<R[N][K]> };
  };

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

/** Returns the parameter names of a path template: `/a/{b}/{c}` → `['b', 'c']`. */
export const listParamNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** Returns whether the key is sent with a request of this route, if there is a key. */
export const isSentWithKey = ({ access, personalWithKey }: Route): boolean =>
  access === 'agent' || personalWithKey === true;

/** Returns whether a request may be retried after its answer was lost. */
export const isRouteRepeatable = (route: Route): boolean =>
  route.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(route.method);
