import { declaredPart, type RouteName } from '../../../contract/index.ts';
import { canonical } from '../../base/canonicalJson.ts';
import { floorOf, type Floor } from './floors.ts';

type Input = { params?: unknown; query?: unknown; body?: unknown };

/** What a call is, as the rules of conduct count calls. */
export type Call = {
  floor: Floor;
  /** Calls with the same one are the same call. */
  key: string;
  /** The same call without what it asks for less of: its answer serves as well. */
  wider: string;
  /** Whether it holds nothing but what the contract names: only then an answer can be kept for it. */
  isDeclared: boolean;
};

const judgedCalls = new WeakMap<object, { route: RouteName; call: Call | null }>();

const without = (query: unknown, names: readonly string[] = []): unknown =>
  query !== null && typeof query === 'object'
    ? Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
    : query;

const judged = (route: RouteName, input: Input): Call | null => {
  const floor = floorOf(route);
  if (floor === null) return null;
  const { params, query, body } = input;
  const declared = declaredPart(route, input);
  const given = canonical([params, query ?? {}, body]);
  const named = canonical([declared.params, declared.query, declared.body]);
  const isDeclared = floor.of === 'content' || given === named;
  const key = `${route} ${floor.of === 'content' ? given : floor.of === 'listing' ? canonical(params) : named}`;
  const wider = `${route} ${canonical([declared.params, without(declared.query, floor.ignores), declared.body])}`;
  return { floor, key, wider, isDeclared };
};

/** Which call a parsed request is; null where the route has no floor. The same object is judged once. */
export const callOf = (route: RouteName, input: object): Call | null => {
  const known = judgedCalls.get(input);
  if (known?.route === route) return known.call;
  const call = judged(route, input);
  judgedCalls.set(input, { route, call });
  return call;
};
