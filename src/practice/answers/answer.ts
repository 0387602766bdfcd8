import type { Group, RouteName, Routes, ParsedInput } from '../../contract/index.ts';
import type * as z from 'zod';
import type { Key } from '../world/keys.ts';
import type { Person } from '../world/people.ts';
import type { World } from '../world/world.ts';

export type RouteNameOf<G extends Group> = { [K in RouteName]: Routes[K]['group'] extends G ? K : never }[RouteName];

/** The person and the key of a call. A call of a public route that was sent without a valid key has no caller. */
export type Caller = { person: Person; key: Key };

export type Call<K extends RouteName> = {
  world: World;
  input: ParsedInput<K>;
  accept: string;
} & (Routes[K]['access'] extends 'public_info' ? { caller: Caller | null } : Caller);

export type AnswerResult<K extends RouteName> = {
  status?: number;
  headers?: Record<string, string>;
  body: z.input<Routes[K]['answer']>;
};

/** Answers one route. Throws a `Refusal` if the call is refused. */
export type Answer<K extends RouteName> = (call: Call<K>) => AnswerResult<K> | Promise<AnswerResult<K>>;

export type Answers<K extends RouteName> = { [N in K]: Answer<N> };
