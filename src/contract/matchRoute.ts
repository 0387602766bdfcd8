import { refusedRoutes, type RefusedRoute } from './refusedRoutes.ts';
import { isPathSegment } from './parseInput.ts';
import { routeNames, routes, type RouteName } from './routes/index.ts';

export type RouteMatch =
  | { kind: 'route'; name: RouteName; params: Record<string, string> }
  | { kind: 'refused'; route: RefusedRoute }
  | { kind: 'method'; allowed: string[] }
  | { kind: 'unknown' };

type PathSegment = { text: string; name: null } | { text: null; name: string };
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

/** Encoded slashes and dot segments never match. */
const matchPathPattern = ({ segments, isOpen }: PathPattern, parts: string[]): Record<string, string> | null => {
  if (isOpen ? parts.length < segments.length : parts.length !== segments.length) return null;
  // Compare the fixed parts before decoding, because every request is compared with many patterns.
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

/** Creates a matcher that returns the parameters of a percent-encoded path without query, or null. */
export const createPathMatcher = (pattern: string): ((path: string) => Record<string, string> | null) => {
  const compiledPattern = parsePathPattern(pattern);
  return (path) => matchPathPattern(compiledPattern, path.split('/').slice(1));
};

// Patterns with more fixed segments come first, so that /channels/connections does not match /channels/{channelId}.
const knownPatterns = routeNames
  .map((name) => ({ name, method: routes[name].method, pattern: parsePathPattern(routes[name].path) }))
  .sort((a, b) => b.pattern.literal - a.pattern.literal);
const refusedPatterns = refusedRoutes
  .map((route) => ({ route, pattern: parsePathPattern(route.path) }))
  .sort((a, b) => b.pattern.literal - a.pattern.literal);

const getFirstSegment = ({ pattern }: { pattern: PathPattern }): string => pattern.segments[0]?.text ?? '';
const knownByFirst = Map.groupBy(knownPatterns, getFirstSegment);
const refusedByFirst = Map.groupBy(refusedPatterns, getFirstSegment);

/** Finds the route for a method and a percent-encoded path without query. */
export const matchRouteByPath = (method: string, path: string): RouteMatch => {
  const parts = path.split('/').slice(1);
  const [first = ''] = parts;
  const fits = (knownByFirst.get(first) ?? []).flatMap((entry) => {
    const params = matchPathPattern(entry.pattern, parts);
    return params ? [{ ...entry, params }] : [];
  });
  const same = fits.find((entry) => entry.method === method);
  const refusal = refusedByFirst
    .get(first)
    ?.find(
      ({ route, pattern }) =>
        (route.method === 'ANY' || route.method === method) && matchPathPattern(pattern, parts) !== null,
    );
  if (same && !(refusal && refusal.pattern.literal > same.pattern.literal))
    return { kind: 'route', name: same.name, params: same.params };
  if (refusal) return { kind: 'refused', route: refusal.route };
  if (fits.length > 0) return { kind: 'method', allowed: [...new Set(fits.map((entry) => entry.method))] };
  return { kind: 'unknown' };
};
