import type { Group, RouteName, Routes, ParsedInput } from '../../contract/index.ts';
import type * as z from 'zod';
import type { Key } from '../world/keys.ts';
import type { Person } from '../world/people.ts';
import type { World } from '../world/world.ts';

/** The names of the routes in one group of the interface. */
export type RouteNameOf<G extends Group> = { [K in RouteName]: Routes[K]['group'] extends G ? K : never }[RouteName];

/** The person and the key of a call. A route without authentication has a caller only if a working key was sent. */
export type Caller = { person: Person; key: Key };

/** One call of a route: its parsed input and its caller. */
export type Call<K extends RouteName> = {
  world: World;
  input: ParsedInput<K>;
  accept: string;
} & (Routes[K]['access'] extends 'public_info' ? { caller: Caller | null } : Caller);

/** The result of a route, validated by the route's answer schema. */
export type AnswerResult<K extends RouteName> = {
  /** Defaults to the status of the route. */
  status?: number;
  headers?: Record<string, string>;
  body: z.input<Routes[K]['answer']>;
};

/** The implementation of one route. Throws a Refusal if the call is refused. */
export type Answer<K extends RouteName> = (call: Call<K>) => AnswerResult<K> | Promise<AnswerResult<K>>;

/** The implementations of several routes, each with its route's own type. */
export type Answers<K extends RouteName> = { [N in K]: Answer<N> };
