import { refusedRoutes, type RefusedRoute } from './notForAssistants.ts';
import { routeNames, routes, type RouteName } from './routes/index.ts';

/** What a method and a concrete path mean in the interface. */
export type Match =
  | { kind: 'route'; name: RouteName; params: Record<string, string> }
  | { kind: 'refused'; route: RefusedRoute }
  | { kind: 'method'; allowed: string[] }
  | { kind: 'unknown' };

type Pattern = { segments: string[]; literal: number };

const patternOf = (path: string): Pattern => {
  const segments = path.split('/').slice(1);
  return { segments, literal: segments.filter((segment) => !segment.startsWith('{')).length };
};

const decode = (segment: string): string | null => {
  try {
    const text = decodeURIComponent(segment);
    return text === '' || text.includes('/') || text === '.' || text === '..' ? null : text;
  } catch {
    return null;
  }
};

/** The values of a path's braces, or null when the path is another one. An encoded slash or dot segment never fits. */
const fit = ({ segments }: Pattern, parts: string[]): Record<string, string> | null => {
  const greedy = segments.at(-1)?.endsWith('+}') ?? false;
  if (greedy ? parts.length < segments.length : parts.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== part) return null;
      continue;
    }
    const value = decode(part);
    if (value === null) return null;
    params[segment.replace(/[{}+]/g, '')] = value;
  }
  return params;
};

/** Answers the values of the braces of `pattern` in a path (still percent-encoded, without query); null for another path. */
export const fitterOf = (pattern: string): ((path: string) => Record<string, string> | null) => {
  const made = patternOf(pattern);
  return (path) => fit(made, path.split('/').slice(1));
};

// A fixed path wins over one with braces: /channels/connections is not /channels/{channelId}.
const known = routeNames
  .map((name) => ({ name, method: routes[name].method, pattern: patternOf(routes[name].path) }))
  .sort((a, b) => b.pattern.literal - a.pattern.literal);
const refused = refusedRoutes
  .map((route) => ({ route, pattern: patternOf(route.path) }))
  .sort((a, b) => b.pattern.literal - a.pattern.literal);

/** Routes by their number of segments, as most of them cannot fit for that alone. */
const knownOf = Map.groupBy(known, ({ pattern }) => pattern.segments.length);

/** Finds the route of a method and a path (still percent-encoded, without query). */
export const matchRoute = (method: string, path: string): Match => {
  const parts = path.split('/').slice(1);
  const fits = (knownOf.get(parts.length) ?? []).flatMap((entry) => {
    const params = fit(entry.pattern, parts);
    return params ? [{ ...entry, params }] : [];
  });
  const same = fits.find((entry) => entry.method === method);
  const no = refused.find(
    ({ route, pattern }) => (route.method === 'ANY' || route.method === method) && fit(pattern, parts) !== null,
  );
  if (same && !(no && no.pattern.literal > same.pattern.literal))
    return { kind: 'route', name: same.name, params: same.params };
  if (no) return { kind: 'refused', route: no.route };
  if (fits.length > 0) return { kind: 'method', allowed: [...new Set(fits.map((entry) => entry.method))] };
  return { kind: 'unknown' };
};
