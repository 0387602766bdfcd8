import type * as z from 'zod';
import { openObject } from './fields.ts';

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
 * An omitted field means: no approval, reversible, no cost, no quota, status 200. An entry of `askFirstWhen` is `field`
 * or `field=value` and is compared with the body of a request.
 */
export type Route = {
  group: Group;
  method: Method;
  path: string;
  summary: string;
  access: 'agent' | 'public_info';
  /** The route needs no key, but with a key the answer is about the person who owns the key. */
  personalWithKey?: true;
  askFirst?: boolean;
  askFirstWhen?: readonly string[];
  reversible?: boolean;
  cost?: Cost;
  quota?: Quota;
  /** True if a repeated request has no second effect. The default is true for GET, PUT and DELETE, else false. */
  repeatable?: boolean;
  status?: number;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  bodyFields?: readonly string[];
  answer: z.ZodType;
  /**
   * `address` is the field with the address of a page for the person only. An assistant gets only the `visible` fields.
   */
  personPage?: { address: string; visible: readonly string[] };
  /** The answer contains addresses of pages for the person only. An assistant gets only those in `publicAddressFields`. */
  namesPersonPages?: true;
};

type SchemaBuilder<S> = S extends z.ZodType ? () => S : never;
type BuiltSchema<P> = P extends () => infer S ? S : P;
type RouteDeclaration = { [K in keyof Route]: Route[K] | SchemaBuilder<Route[K]> };

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

type WithDefaults<G, D> = D & Omit<{ group: G; answer: () => typeof openObject }, keyof D>;

/**
 * Declares the routes of a group. An omitted `answer` is any object. Each schema is built on first use, because it would
 * slow down the start to build all schemas.
 */
export const declareRoutes = <
  const G extends Group,
  const R extends Record<
    string,
    Omit<RouteDeclaration, 'group' | 'answer'> & Partial<Pick<RouteDeclaration, 'answer'>>
  >,
>(
  group: G,
  written: R,
) =>
  Object.fromEntries(
    Object.entries(written).map(([name, route]) => [
      name,
      buildLazyRoute({ group, answer: () => openObject, ...route }),
    ]),
  ) as {
    [N in keyof R]: { [K in keyof WithDefaults<G, R[N]>]: BuiltSchema<WithDefaults<G, R[N]>[K]> };
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

/** Returns whether a client that has a key sends it with a request of this route. */
export const isKeySentToRoute = ({ access, personalWithKey }: Route): boolean =>
  access === 'agent' || personalWithKey === true;

/** Returns whether a client may repeat a request if its answer is lost. */
export const isRouteRepeatable = (route: Route): boolean =>
  route.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(route.method);
