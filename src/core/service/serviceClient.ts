import { createHash, randomUUID } from 'node:crypto';
import {
  exceedsJsonBounds,
  isRepeatable,
  parseJson,
  pathOf,
  routeOf,
  takesKey,
  type AnswerOf,
  type ParsedInput,
  type Route,
  type RouteName,
  inputOf,
} from '../../contract/index.ts';
import type { Pacing } from './pacing/pacing.ts';
import type { Clock } from '../base/ports.ts';
import { Problem, problemText, type ProblemText } from '../base/problem.ts';
import { exchange, Unanswered, createIdleTimeout, createAgentSource } from './exchange.ts';
import { refusalOf, type Reply, ServiceError } from './serviceError.ts';
import { failpoint } from '../base/failpoints.ts';
import type { RequestQueue } from './pacing/requestQueue.ts';

export type ServiceAnswer<N extends RouteName> = {
  status: number;
  headers: Record<string, string>;
  answer: AnswerOf<N>;
  /** The raw answer; absent if it is not JSON. */
  text?: string;
};

/** Sends requests to the service. It stays inside the core, as it uses the key. */
export type ServiceClient = {
  send: <N extends RouteName>(name: N, input: ParsedInput<N>, options?: SendOptions) => Promise<ServiceAnswer<N>>;
};
export type SendOptions = {
  signal?: AbortSignal | undefined;
  /**
   * Never resend a request that may have been processed, even on a repeatable route: it was approved once. A bare
   * 403 is the exception: by the interface the key was rejected before anything was done.
   */
  once?: boolean;
  /**
   * Called right before the request is sent; from then on it may arrive, even if the caller aborts. A thrown
   * `Problem` prevents sending.
   */
  leaving?: (() => void) | undefined;
  /** Send only with the key of this fingerprint, which the approval was given for. */
  keyPrint?: string;
  /**
   * No caller waits interactively, so the request waits for a faulty service. `work` also waits while all work is
   * paused; `look` is a read that does not.
   */
  unattended?: 'work' | 'look' | undefined;
};

/** Returns the fingerprint of a key. */
export const keyPrintOf = (key: string): string =>
  createHash('sha256').update(`key of the listing service\n${key}`).digest('hex').slice(0, 24);

type Parts = {
  baseUrl: () => string;
  key: () => Promise<string | null>;
  clock: Clock;
  pacing: Pick<Pacing, 'secondTryMs'>;
  /** Waits until all writes so far are on disk. */
  onDisk: () => Promise<void>;
  /** Reports after every request whether the service answered at all. */
  reached: (ok: boolean) => void;
  /** Called when a working key was rejected. */
  keyDied: () => void;
};

/** The input of any route. */
type UnknownInput = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
};

const forbiddenAgainAfterMs = 3_000;
const passedOnHeaders = ['idempotent-replayed', 'retry-after'];
const keyHeader = 'idempotency-key';
/** Bounds that no valid answer reaches: 200 listings have a dozen levels and some thousand values. */
const answerBounds = { levels: 64, values: 200_000 };
/** Header values that are passed on: printable ASCII, limited length. */
const plainHeader = /^[\x20-\x7e]{1,100}$/;

/**
 * Creates the client of the service's interface. A request is retried once, after a short wait, if it is safe to
 * repeat and the service or network failed, or after a bare 403. Throws `ServiceError`.
 */
export const createServiceClient = (parts: Parts): ServiceClient => {
  const openAgent = createAgentSource();
  const idleTimeout = createIdleTimeout(parts.clock);
  const once = async (
    route: Route,
    input: UnknownInput,
    { signal, keyPrint, leaving }: SendOptions,
  ): Promise<Reply> => {
    const held = await parts.key();
    // Public routes are sent without the key, but an approved request still requires the account that it was
    // approved for.
    const key = takesKey(route) ? held : null;
    if (route.access === 'agent' && key === null) throw notConnected();
    if (keyPrint !== undefined && (held === null || keyPrintOf(held) !== keyPrint)) throw accountChanged();
    const content = input.body === undefined ? undefined : JSON.stringify(input.body);
    // Before a write, wait until the local state is on disk, so that a power failure cannot cause it to be
    // repeated.
    if (route.method !== 'GET') await parts.onDisk();
    try {
      const agent = await openAgent();
      leaving?.();
      const { status, headers, text } = await exchange(agent, idleTimeout, {
        method: route.method,
        url: new URL(parts.baseUrl() + pathOf(route.path, input.params, input.query)),
        headers: {
          accept: 'application/json',
          ...(content === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...definedOnly(input.headers),
        },
        body: content ?? null,
        signal,
      });
      parts.reached(true);
      return { status, headers: passedOnOf(headers, key), text: withoutKey(text, key) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Problem) throw error;
      parts.reached(false);
      throw unanswered(route, error);
    }
  };

  const send = async <N extends RouteName>(
    name: N,
    given: ParsedInput<N>,
    options: SendOptions = {},
  ): Promise<ServiceAnswer<N>> => {
    const route = routeOf(name);
    const input = withIdempotencyKey(route, given);
    // The answer was parsed by the schema of this route.
    const attempt = async () => readReply(route, await once(route, input, options)) as ServiceAnswer<N>;
    try {
      return await attempt();
    } catch (first) {
      const wait = waitBeforeAgain(route, first, options, parts.pacing);
      if (wait === null) throw first;
      await parts.clock.sleep(wait, options.signal);
      return await attempt().catch((second: unknown) => {
        if (isDeadKey(first) && isDeadKey(second)) parts.keyDied();
        // If the retry was not sent, report the first failure when its effect is unclear.
        throw hasLeft(second) || !isUnclear(first) ? second : first;
      });
    }
  };
  return { send };
};

/** Adds an idempotency key where the route takes one: a draft that is retried after a lost answer is created once. */
const withIdempotencyKey = (route: Route, input: UnknownInput): UnknownInput =>
  route.headers !== undefined && keyHeader in route.headers.shape && input.headers?.[keyHeader] === undefined
    ? { ...input, headers: { ...input.headers, [keyHeader]: randomUUID() } }
    : input;

const definedOnly = (headers: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Returns the answer headers that callers may see. */
const passedOnOf = (
  headers: Record<string, string | string[] | undefined>,
  key: string | null,
): Record<string, string> =>
  Object.fromEntries(
    passedOnHeaders.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' && plainHeader.test(value) && (key === null || !value.includes(key))
        ? [[name, value]]
        : [];
    }),
  );

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** Masks the key: proxies and debug answers may echo the request. */
const withoutKey = (text: string | null, key: string | null): string | null =>
  key !== null && text?.includes(key) ? text.replaceAll(key, '…') : text;

const readReply = (
  route: Route,
  reply: Reply,
): { status: number; headers: Record<string, string>; answer: unknown; text?: string } => {
  const { headers, status, text } = reply;
  if (!isGood(status)) throw refusalOf(route, reply);
  if (text === null) throw unexpected(status, problemText('UNEXPECTED_ANSWER.large'), null);
  if (exceedsJsonBounds(text, answerBounds)) throw unexpected(status, problemText('UNEXPECTED_ANSWER.strange'), null);
  const { body, isJson } = parseBody(text);
  const parsed = route.answer.safeParse(body);
  if (!parsed.success) throw unexpected(status, problemText('UNEXPECTED_ANSWER.strange'), parsed.error);
  return { status, headers, answer: parsed.data, ...(isJson ? { text } : {}) };
};

const unexpected = (status: number, text: ProblemText, cause: unknown) =>
  new ServiceError({ ...text, effect: 'unclear', status, cause });

const parseBody = (text: string): { body: unknown; isJson: boolean } => {
  if (text === '') return { body: {}, isJson: false };
  try {
    return { body: parseJson(text), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
};

const hasLeft = (error: unknown): boolean => error instanceof ServiceError && error.effect !== 'unreached';
const isUnclear = (error: unknown): boolean => error instanceof ServiceError && error.effect === 'unclear';

const isDeadKey = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 403 && error.code === 'RECONNECT_NEEDED';

const waitBeforeAgain = (
  route: Route,
  error: unknown,
  { once = false, unattended }: SendOptions,
  pacing: Parts['pacing'],
): number | null => {
  if (!(error instanceof ServiceError)) return null;
  if (isDeadKey(error)) return forbiddenAgainAfterMs;
  if (error.effect === 'refused' || error.code === 'UNEXPECTED_ANSWER') return null;
  if (error.effect === 'unclear' && (once || !isRepeatable(route))) return null;
  // Unattended requests are retried by the request queue once the service has recovered.
  return unattended === undefined ? pacing.secondTryMs(error.retryAfterS) : null;
};

const unanswered = ({ method }: Route, error: unknown): ServiceError => {
  const { sent, cause, silent } = error instanceof Unanswered ? error : { sent: true, cause: error, silent: false };
  if (!sent) return new ServiceError({ ...problemText('SERVICE_UNREACHABLE'), effect: 'unreached', status: 0, cause });
  const text = problemText(method === 'GET' ? 'NO_ANSWER.read' : 'NO_ANSWER.write');
  return new ServiceError({ ...text, effect: 'unclear', status: 0, cause, silent });
};

const accountChanged = () => new ServiceError({ ...problemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });
const notConnected = () => new ServiceError({ ...problemText('NOT_CONNECTED'), effect: 'refused', status: 401 });

/**
 * Wraps the client to report each request for upload slots before it is sent: from then on a slot of the listing may
 * be open, whatever the answer.
 */
export const noteSlots = (client: ServiceClient, slotOpened: (listingId: string) => void): ServiceClient => ({
  send: async (name, input, options) => {
    if (name === 'requestUploads') slotOpened(inputOf('requestUploads', input).body.listingId);
    return client.send(name, input, options);
  },
});

/** Wraps the client with failpoints before a request is sent and after it is answered. */
export const withFailpoints = (client: ServiceClient): ServiceClient => ({
  send: async (name, input, options) => {
    failpoint(`before: ${name} is sent`);
    try {
      return await client.send(name, input, options);
    } finally {
      failpoint(`after: ${name} was answered`);
    }
  },
});

/**
 * Wraps the client so that unattended calls wait for a faulty service, and `work` calls also while all work is
 * paused. It must be the outermost wrapper, so that a waiting call holds no lock.
 */
export const paceClient = <C extends ServiceClient>(
  client: C,
  queue: RequestQueue,
  hold: (signal: AbortSignal) => Promise<void>,
): C => {
  const send: ServiceClient['send'] = (route, input, options) => {
    const work = () => client.send(route, input, options);
    if (options?.unattended === undefined) return queue.runAttended(route, work);
    return queue.runUnattended(route, work, options.signal, options.unattended === 'work' ? hold : undefined);
  };
  return { ...client, send };
};
