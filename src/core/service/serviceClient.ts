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
  /** The answer as the service wrote it; absent when it wrote no JSON. */
  text?: string;
};

/** Sends requests to the service. Only the core has one: it holds the key. */
export type ServiceClient = {
  send: <N extends RouteName>(name: N, input: ParsedInput<N>, options?: SendOptions) => Promise<ServiceAnswer<N>>;
};
export type SendOptions = {
  signal?: AbortSignal | undefined;
  /**
   * Once it may have been acted upon it is not sent again, whatever the route allows: somebody said yes to it once. A bare
   * 403 is the one answer after which it is: by the interface it says that the key was not taken, before anything was done.
   */
  once?: boolean;
  /**
   * Told just before it leaves: from then on it may arrive, also where nobody waits for its answer any more. A `Problem`
   * that it throws keeps it from leaving.
   */
  leaving?: (() => void) | undefined;
  /** It leaves only with the key of this print: the one that a yes was given for. */
  keyPrint?: string;
  /**
   * Nobody waits for it, so it waits for a service that has a fault. `work` is held back while everything is paused, `look`
   * only tells what is so.
   */
  unattended?: 'work' | 'look' | undefined;
};

/** Names a key without being it. */
export const keyPrintOf = (key: string): string =>
  createHash('sha256').update(`key of the listing service\n${key}`).digest('hex').slice(0, 24);

type Parts = {
  baseUrl: () => string;
  key: () => Promise<string | null>;
  clock: Clock;
  pacing: Pick<Pacing, 'secondTryMs'>;
  /** Waits until everything is on disk that was written so far. */
  onDisk: () => Promise<void>;
  /** Told after every request whether the service answered at all. */
  reached: (ok: boolean) => void;
  /** Told when a key that worked no longer does. */
  keyDied: () => void;
};

/** A request of any route. */
type UnknownInput = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
};

const forbiddenAgainAfterMs = 3_000;
const passedOnHeaders = ['idempotent-replayed', 'retry-after'];
const keyHeader = 'idempotency-key';
/** What an answer of the interface never needs: 200 listings are a dozen levels and some thousand values. */
const answerBounds = { levels: 64, values: 200_000 };
/** Of a header that is passed on: letters that everybody can read, and not many. */
const plainHeader = /^[\x20-\x7e]{1,100}$/;

/**
 * A client of the whole interface. A request is sent once; once more after a short wait when it is safe to repeat and
 * the service or the network failed, or when the answer was a bare 403. Throws `ServiceError`.
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
    // What is the same for everybody goes without the key, and yet only while the one is connected that the yes was given for.
    const key = takesKey(route) ? held : null;
    if (route.access === 'agent' && key === null) throw notConnected();
    if (keyPrint !== undefined && (held === null || keyPrintOf(held) !== keyPrint)) throw accountChanged();
    const content = input.body === undefined ? undefined : JSON.stringify(input.body);
    // What may change something leaves after all that is known of it, so that no power cut has it done again on a guess.
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
    // The schema that the answer was parsed by is that of the route.
    const attempt = async () => readReply(route, await once(route, input, options)) as ServiceAnswer<N>;
    try {
      return await attempt();
    } catch (first) {
      const wait = waitBeforeAgain(route, first, options, parts.pacing);
      if (wait === null) throw first;
      await parts.clock.sleep(wait, options.signal);
      return await attempt().catch((second: unknown) => {
        if (isDeadKey(first) && isDeadKey(second)) parts.keyDied();
        // Where it did not leave again, what is told is what may have become of the first.
        throw hasLeft(second) || !isUnclear(first) ? second : first;
      });
    }
  };
  return { send };
};

/** A draft always has a key: one that is asked for twice because an answer was lost is then made once. */
const withIdempotencyKey = (route: Route, input: UnknownInput): UnknownInput =>
  route.headers !== undefined && keyHeader in route.headers.shape && input.headers?.[keyHeader] === undefined
    ? { ...input, headers: { ...input.headers, [keyHeader]: randomUUID() } }
    : input;

const definedOnly = (headers: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** The headers of an answer that callers get to see. */
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

/** Proxies, and services that look for faults, repeat what they were sent. */
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
  // What nobody waits for is tried again when the service is known to be there.
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
 * The client, which tells of every request for upload slots before it leaves, whoever makes it: whatever becomes of the
 * answer, a slot of that listing may be open from then on.
 */
export const noteSlots = (client: ServiceClient, slotOpened: (listingId: string) => void): ServiceClient => ({
  send: async (name, input, options) => {
    if (name === 'requestUploads') slotOpened(inputOf('requestUploads', input).body.listingId);
    return client.send(name, input, options);
  },
});

/** The client, which tells the moments before a request leaves and after its answer is here. */
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
 * The client, whose calls that nobody waits for wait for the service where that has a fault. It is the outermost one: what
 * waits here holds no lock. `hold` is waited for, too, while everything is paused.
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
