import type { Group, RouteName, Routes, ParsedInput } from '../../contract/index.ts';
import type * as z from 'zod';
import type { Key } from '../world/keys.ts';
import type { Person } from '../world/people.ts';
import type { World } from '../world/world.ts';

/** The routes of one group of the interface. */
export type RouteNameOf<G extends Group> = { [K in RouteName]: Routes[K]['group'] extends G ? K : never }[RouteName];

/** Who calls: a person through an assistant's key. Routes that need no key have a caller only when a working one was sent. */
export type Caller = { person: Person; key: Key };

/** One call of a route: its parsed input, and who calls. */
export type Call<K extends RouteName> = {
  world: World;
  input: ParsedInput<K>;
  /** What the caller likes to read, from the Accept header. */
  accept: string;
} & (Routes[K]['access'] extends 'public_info' ? { caller: Caller | null } : Caller);

/** What a route answers, as its own answer schema takes it. */
export type AnswerResult<K extends RouteName> = {
  /** The route's own status when it is not said. */
  status?: number;
  headers?: Record<string, string>;
  body: z.input<Routes[K]['answer']>;
};

/** What one route does. It answers, or throws a Refusal. */
export type Answer<K extends RouteName> = (call: Call<K>) => AnswerResult<K> | Promise<AnswerResult<K>>;

/** The answers of some routes, each of its route's own type. */
export type Answers<K extends RouteName> = { [N in K]: Answer<N> };
