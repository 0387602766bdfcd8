import * as z from 'zod';
import { routeNames, routeOf } from '../../contract/index.ts';

/** The upload addresses are no route of the interface, but their answers get lost like any other. */
export const uploadPath = '/uploads/{token}';

const isKnown = (method: string, path: string): boolean =>
  (method === 'PUT' && path === uploadPath) ||
  routeNames.some((name) => routeOf(name).method === method && routeOf(name).path === path);

/** What the next matching calls do instead of what they should. */
export const fault = z
  .strictObject({
    method: z.string().transform((method) => method.toUpperCase()),
    path: z.string(),
    times: z.int().min(1).max(1_000_000).default(1),
    status: z.int().min(400).max(599).optional(),
    code: z.string().optional(),
    error: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** More fields of the answer, be it a refusal, e.g. `rateCents`, or the one that the call would have had. */
    body: z.record(z.string(), z.unknown()).optional(),
    /** What is sent instead of JSON: with a status a page of a proxy, without one a broken answer. */
    text: z.string().optional(),
    /** So many blanks after the answer. */
    padBytes: z.int().min(0).max(1_000_000_000).optional(),
    /** By the service's own clock. */
    delayMs: z.int().min(0).max(600_000).optional(),
    /** A connection that is reset before the effect, or ends after it: without the answer, or with half of it. */
    drop: z.enum(['before', 'after', 'half']).optional(),
    /** Nothing is ever said, before the effect or after it; the connection stays open. */
    silent: z.enum(['before', 'after']).optional(),
    /** The call does what it asks all the same, and is then answered with the status. */
    done: z.boolean().default(false),
  })
  .refine(
    ({ method, path }) => isKnown(method, path),
    'path: Name a route as the interface writes it, with its method.',
  );
/** One ordered fault. */
export type Fault = z.infer<typeof fault>;

/** The faults that wait for their calls. */
export type Faults = {
  add: (fault: Fault) => void;
  clear: () => void;
  list: () => Fault[];
  /** The fault of this call, if there is one; counts as one of its times. */
  next: (method: string, path: string) => Fault | null;
};

/** Faults wait in order; they are forgotten at a restart. */
export const createFaults = (): Faults => {
  let waiting: Fault[] = [];
  return {
    add: (one) => void waiting.push({ ...one }),
    clear: () => void (waiting = []),
    list: () => waiting.map((one) => ({ ...one })),
    next: (method, path) => {
      const found = waiting.find((one) => one.method === method && one.path === path);
      if (!found) return null;
      found.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      return found;
    },
  };
};
