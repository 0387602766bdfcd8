import type * as z from 'zod';
import type { Route } from '../route.ts';
import { accountRoutes } from './account.ts';
import { agentRoutes } from './agent.ts';
import { billingRoutes } from './billing.ts';
import { channelRoutes } from './channels.ts';
import { insightRoutes } from './insights.ts';
import { listingRoutes } from './listings.ts';
import { marketRoutes } from './market.ts';

export const routes = {
  ...accountRoutes,
  ...listingRoutes,
  ...marketRoutes,
  ...insightRoutes,
  ...billingRoutes,
  ...channelRoutes,
  ...agentRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
/** Returns whether an untrusted text is the name of a route. */
export const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name);
export const routeNames = Object.keys(routes).filter(isRouteName);

/** Returns the route with this name, typed as `Route`. */
export const getRouteByName = (name: RouteName): Route => routes[name];

type RoutePart<R, K extends string> = R extends Record<K, infer S extends z.ZodType> ? S : undefined;
type GivenPart<K extends string, S> = S extends z.ZodType
  ? Record<never, never> extends z.input<S>
    ? { [P in K]?: z.input<S> }
    : { [P in K]: z.input<S> }
  : { [P in K]?: undefined };
type ParsedPart<S> = S extends z.ZodType ? z.output<S> : undefined;

export type InputOf<N extends RouteName> = GivenPart<'params', RoutePart<Routes[N], 'params'>> &
  GivenPart<'query', RoutePart<Routes[N], 'query'>> &
  GivenPart<'headers', RoutePart<Routes[N], 'headers'>> &
  GivenPart<'body', RoutePart<Routes[N], 'body'>>;

export type ParsedInput<N extends RouteName> = {
  params: ParsedPart<RoutePart<Routes[N], 'params'>>;
  query: ParsedPart<RoutePart<Routes[N], 'query'>>;
  headers: ParsedPart<RoutePart<Routes[N], 'headers'>>;
  body: ParsedPart<RoutePart<Routes[N], 'body'>>;
};

export type AnswerOf<N extends RouteName> = z.output<Routes[N]['answer']>;

/** Returns whether the answer opens a page for the person without a prompt before it. Such a page connects an account. */
export const opensPageUnasked = (name: RouteName): boolean => {
  const { personPage, askFirst = false } = getRouteByName(name);
  return personPage !== undefined && !askFirst;
};
