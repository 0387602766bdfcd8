import { refusedRoutes, type RefusedRoute } from './refusedRoutes.ts';
import { isPathSegment } from './parseInput.ts';
import { routeNames, routes, type RouteName } from './routes/index.ts';

/** The result of matching a method and a path against the interface. */
export type RouteMatch =
  | { kind: 'route'; name: RouteName; params: Record<string, string> }
  | { kind: 'refused'; route: RefusedRoute }
  | { kind: 'method'; allowed: string[] }
  | { kind: 'unknown' };

/** A segment of a pattern: a fixed text or a named parameter. */
type PathSegment = { text: string; name: null } | { text: null; name: string };
/** `isOpen`: the last parameter matches any number of segments. */
type PathPattern = { segments: PathSegment[]; literal: number; isOpen: boolean };

const parsePathPattern = (path: string): PathPattern => {
  const segments = path
    .split('/')
    .slice(1)
    .map((text): PathSegment =>
      text.startsWith('{') ? { text: null, name: text.replace(/[{}+]/g, '') } : { text, name: null },
    );
  return { segments, literal: segments.filter(({ text }) => text !== null).length, isOpen: path.endsWith('+}') };
};

const decodePathSegment = (segment: string): string | null => {
  try {
    const text = decodeURIComponent(segment);
    return isPathSegment(text) ? text : null;
  } catch {
    return null;
  }
};

/** Returns the parameters of a path, or null if it does not match. Encoded slashes and dot segments never match. */
const matchPatternParts = ({ segments, isOpen }: PathPattern, parts: string[]): Record<string, string> | null => {
  if (isOpen ? parts.length < segments.length : parts.length !== segments.length) return null;
  // A request is matched against many patterns, so compare the fixed parts before decoding.
  if (segments.some(({ text }, index) => text !== null && text !== parts[index])) return null;
  const params: Record<string, string> = {};
  for (const [index, { name }] of segments.entries()) {
    if (name === null) continue;
    const value = decodePathSegment(parts[index] ?? '');
    if (value === null) return null;
    params[name] = value;
  }
  return params;
};

/** Creates a matcher that returns the parameters of a path (percent-encoded, without query), or null. */
export const createPathMatcher = (pattern: string): ((path: string) => Record<string, string> | null) => {
  const compiledPattern = parsePathPattern(pattern);
  return (path) => matchPatternParts(compiledPattern, path.split('/').slice(1));
};

// Fixed segments take precedence: /channels/connections does not match /channels/{channelId}.
const knownPatterns = routeNames
  .map((name) => ({ name, method: routes[name].method, pattern: parsePathPattern(routes[name].path) }))
  .sort((a, b) => b.pattern.literal - a.pattern.literal);
const refusedPatterns = refusedRoutes
  .map((route) => ({ route, pattern: parsePathPattern(route.path) }))
  .sort((a, b) => b.pattern.literal - a.pattern.literal);

/** Grouped by the first segment, which is fixed in every pattern, to skip most patterns. */
const readFirstSegment = ({ pattern }: { pattern: PathPattern }): string => pattern.segments[0]?.text ?? '';
const knownByFirst = Map.groupBy(knownPatterns, readFirstSegment);
const refusedByFirst = Map.groupBy(refusedPatterns, readFirstSegment);

/** Finds the route of a method and a path (percent-encoded, without query). */
export const matchRouteByPath = (method: string, path: string): RouteMatch => {
  const parts = path.split('/').slice(1);
  const [first = ''] = parts;
  const fits = (knownByFirst.get(first) ?? []).flatMap((entry) => {
    const params = matchPatternParts(entry.pattern, parts);
    return params ? [{ ...entry, params }] : [];
  });
  const same = fits.find((entry) => entry.method === method);
  const refusal = refusedByFirst
    .get(first)
    ?.find(
      ({ route, pattern }) =>
        (route.method === 'ANY' || route.method === method) && matchPatternParts(pattern, parts) !== null,
    );
  if (same && !(refusal && refusal.pattern.literal > same.pattern.literal))
    return { kind: 'route', name: same.name, params: same.params };
  if (refusal) return { kind: 'refused', route: refusal.route };
  if (fits.length > 0) return { kind: 'method', allowed: [...new Set(fits.map((entry) => entry.method))] };
  return { kind: 'unknown' };
};
