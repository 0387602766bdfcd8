import { createHash, randomUUID } from 'node:crypto';
import {
  exceedsJsonBounds,
  isRouteRepeatable,
  parseUntrustedJson,
  buildRoutePath,
  getRouteByName,
  isKeySentToRoute,
  type AnswerOf,
  type ParsedInput,
  type Route,
  type RouteName,
  parseTrustedInput,
} from '../../contract/index.ts';
import type { Pacing } from './pacing/pacing.ts';
import type { Clock } from '../base/ports.ts';
import { Problem, createProblemText, type ProblemText } from '../base/problem.ts';
import { sendHttpRequest, UnansweredError, createIdleTimeout, createAgentOpener } from './sendHttpRequest.ts';
import { toRefusalError, type Reply, ServiceError } from './serviceError.ts';
import { hasFailpointListeners, publishFailpoint } from '../base/failpoints.ts';
import type { RequestQueue } from './pacing/requestQueue.ts';

export type ServiceAnswer<N extends RouteName> = {
  status: number;
  headers: Record<string, string>;
  answer: AnswerOf<N>;
  /** Undefined if the answer is not JSON. */
  text?: string;
};

/** Sends requests with the key, so the client must stay inside the core. */
export type ServiceClient = {
  send: <N extends RouteName>(name: N, input: ParsedInput<N>, options?: SendOptions) => Promise<ServiceAnswer<N>>;
};
export type SendOptions = {
  signal?: AbortSignal | undefined;
  /**
   * Set if the request must not be sent again when the service might have processed it. A 403 that rejects the key
   * shows that the service has not processed it.
   */
  once?: boolean;
  /** Called right before the request is sent. If it throws a `Problem`, the request is not sent. */
  beforeSend?: (() => void) | undefined;
  /** The fingerprint of the key for which the approval was given. The request is sent only with that key. */
  keyPrint?: string;
  /**
   * Set if no caller is waiting for the answer. The request is then held back while the service has a fault. A `work`
   * request is also held back while all work is paused.
   */
  unattended?: 'work' | 'look' | undefined;
};

/** Returns the fingerprint of a key. */
export const computeKeyFingerprint = (key: string): string =>
  createHash('sha256').update(`key of the listing service\n${key}`).digest('hex').slice(0, 24);

type Parts = {
  baseUrl: () => string;
  key: () => Promise<string | null>;
  clock: Clock;
  pacing: Pick<Pacing, 'secondTryMs'>;
  /** Resolves when all earlier writes are on disk. */
  onDisk: () => Promise<void>;
  reached: (ok: boolean) => void;
  /** Gets the `Date` header of each answer. */
  noteDate?: (date: unknown) => void;
  /** Called when the service rejects a key that worked before. */
  keyDied: () => void;
};

type UnknownInput = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
};

const forbiddenRetryMs = 3_000;
const forwardedHeaders = ['idempotent-replayed', 'retry-after'];
const keyHeader = 'idempotency-key';
/** No valid answer reaches these bounds. */
const answerBounds = { levels: 64, values: 200_000 };
const plainHeader = /^[\x20-\x7e]{1,100}$/;

const createRequestHeaders = (content: string | undefined, key: string | null): Record<string, string> => ({
  accept: 'application/json',
  ...(content === undefined ? {} : { 'content-type': 'application/json' }),
  ...(key === null ? {} : { authorization: `Bearer ${key}` }),
});

/** Creates the client of the service. It retries a request once if a repeat is safe. Throws `ServiceError`. */
export const createServiceClient = (parts: Parts): ServiceClient => {
  const openAgent = createAgentOpener();
  const idleTimeout = createIdleTimeout(parts.clock);
  const sendSingleRequest = async (
    route: Route,
    input: UnknownInput,
    { signal, keyPrint, beforeSend }: SendOptions,
  ): Promise<Reply> => {
    const storedKey = await parts.key();
    // A public route is sent without the key, but an approved request still needs the account of its approval.
    const key = isKeySentToRoute(route) ? storedKey : null;
    if (route.access === 'agent' && key === null) throw createNotConnectedError();
    if (keyPrint !== undefined && (storedKey === null || computeKeyFingerprint(storedKey) !== keyPrint))
      throw createAccountChangedError();
    const content = input.body === undefined ? undefined : JSON.stringify(input.body);
    // The local state must be on disk before a write. Otherwise a power failure could delete it, and the companion
    // would repeat the write.
    if (route.method !== 'GET') await parts.onDisk();
    try {
      const agent = await openAgent();
      beforeSend?.();
      const { status, headers, text } = await sendHttpRequest(agent, idleTimeout, {
        method: route.method,
        url: new URL(parts.baseUrl() + buildRoutePath(route.path, input.params, input.query)),
        headers: { ...createRequestHeaders(content, key), ...dropUndefinedHeaders(input.headers) },
        body: content ?? null,
        signal,
      });
      parts.reached(true);
      parts.noteDate?.(headers['date']);
      return { status, headers: pickForwardedHeaders(headers, key), text: maskServiceKey(text, key) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Problem) throw error;
      parts.reached(false);
      throw toUnansweredError(route, error);
    }
  };

  const send = async <N extends RouteName>(
    name: N,
    given: ParsedInput<N>,
    options: SendOptions = {},
  ): Promise<ServiceAnswer<N>> => {
    const route = getRouteByName(name);
    const input = addIdempotencyKey(route, given);
    const parse = (reply: Reply) => parseServiceReply(route, reply) as ServiceAnswer<N>;
    try {
      return parse(await sendSingleRequest(route, input, options));
    } catch (first) {
      const wait = computeRetryWaitMs(route, first, options, parts.pacing);
      if (wait === null) throw first;
      await parts.clock.sleep(wait, options.signal);
      const again = sendSingleRequest(route, input, options).then(parse);
      return await again.catch((second: unknown) => {
        if (isKeyRejection(first) && isKeyRejection(second)) parts.keyDied();
        // If the retry was not sent, the first request might still have had an effect, so the error of the first
        // request is thrown.
        throw mightHaveBeenSent(second) || !isEffectUnclear(first) ? second : first;
      });
    }
  };
  return { send };
};

/** The idempotency key makes sure that a retried request creates only one draft. */
const addIdempotencyKey = (route: Route, input: UnknownInput): UnknownInput =>
  route.headers !== undefined && keyHeader in route.headers.shape && input.headers?.[keyHeader] === undefined
    ? { ...input, headers: { ...input.headers, [keyHeader]: randomUUID() } }
    : input;

const dropUndefinedHeaders = (headers: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const pickForwardedHeaders = (
  headers: Record<string, string | string[] | undefined>,
  key: string | null,
): Record<string, string> =>
  Object.fromEntries(
    forwardedHeaders.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' && plainHeader.test(value) && (key === null || !value.includes(key))
        ? [[name, value]]
        : [];
    }),
  );

const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300;

/** A proxy or a debug answer might echo the request, which contains the key. */
const maskServiceKey = (text: string | null, key: string | null): string | null =>
  key !== null && text?.includes(key) ? text.replaceAll(key, '…') : text;

const parseServiceReply = (
  route: Route,
  reply: Reply,
): { status: number; headers: Record<string, string>; answer: unknown; text?: string } => {
  const { headers, status, text } = reply;
  if (!isSuccessStatus(status)) throw toRefusalError(route, reply);
  if (text === null) throw createUnexpectedError(status, createProblemText('UNEXPECTED_ANSWER.large'), null);
  if (exceedsJsonBounds(text, answerBounds))
    throw createUnexpectedError(status, createProblemText('UNEXPECTED_ANSWER.strange'), null);
  const { body, isJson } = parseReplyBody(text);
  const parsed = route.answer.safeParse(body);
  if (!parsed.success)
    throw createUnexpectedError(status, createProblemText('UNEXPECTED_ANSWER.strange'), parsed.error);
  return { status, headers, answer: parsed.data, ...(isJson ? { text } : {}) };
};

const createUnexpectedError = (status: number, text: ProblemText, cause: unknown) =>
  new ServiceError({ ...text, effect: 'unclear', status, cause });

const parseReplyBody = (text: string): { body: unknown; isJson: boolean } => {
  if (text === '') return { body: {}, isJson: false };
  try {
    return { body: parseUntrustedJson(text), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
};

const mightHaveBeenSent = (error: unknown): boolean => error instanceof ServiceError && error.effect !== 'unreached';
const isEffectUnclear = (error: unknown): boolean => error instanceof ServiceError && error.effect === 'unclear';

const isKeyRejection = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 403 && error.code === 'RECONNECT_NEEDED';

const computeRetryWaitMs = (
  route: Route,
  error: unknown,
  { once = false, unattended }: SendOptions,
  pacing: Parts['pacing'],
): number | null => {
  if (!(error instanceof ServiceError)) return null;
  if (isKeyRejection(error)) return forbiddenRetryMs;
  if (error.effect === 'refused' || error.code === 'UNEXPECTED_ANSWER') return null;
  if (error.effect === 'unclear' && (once || !isRouteRepeatable(route))) return null;
  // The request queue retries unattended requests when the service recovers.
  return unattended === undefined ? pacing.secondTryMs(error.retryAfterS) : null;
};

const toUnansweredError = ({ method }: Route, error: unknown): ServiceError => {
  const { sent, cause, silent } =
    error instanceof UnansweredError ? error : { sent: true, cause: error, silent: false };
  if (!sent)
    return new ServiceError({ ...createProblemText('SERVICE_UNREACHABLE'), effect: 'unreached', status: 0, cause });
  const text = createProblemText(method === 'GET' ? 'NO_ANSWER.read' : 'NO_ANSWER.write');
  return new ServiceError({ ...text, effect: 'unclear', status: 0, cause, silent });
};

const createAccountChangedError = () =>
  new ServiceError({ ...createProblemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });
const createNotConnectedError = () =>
  new ServiceError({ ...createProblemText('NOT_CONNECTED'), effect: 'refused', status: 401 });

/**
 * Wraps the client to call `slotOpened` before each request for upload slots, because a slot can be open even if the
 * request fails.
 */
export const createSlotObservingClient = (
  client: ServiceClient,
  slotOpened: (listingId: string) => void,
): ServiceClient => ({
  send: async (name, input, options) => {
    if (name === 'requestUploads') slotOpened(parseTrustedInput('requestUploads', input).body.listingId);
    return client.send(name, input, options);
  },
});

/** Wraps the client with failpoints before a request is sent and after it is answered. */
export const createFailpointClient = (client: ServiceClient): ServiceClient => ({
  send: (name, input, options) => {
    publishFailpoint(`before: ${name} is sent`);
    const sent = client.send(name, input, options);
    if (!hasFailpointListeners()) return sent;
    return sent.finally(() => publishFailpoint(`after: ${name} was answered`));
  },
});

/**
 * Wraps the client so that unattended calls wait while the service has a fault. It must be the outermost wrapper,
 * because a waiting call must not hold a lock.
 */
export const createPacedClient = <C extends ServiceClient>(
  client: C,
  queue: RequestQueue,
  waitWhilePaused: (signal: AbortSignal) => Promise<void>,
): C => {
  const send: ServiceClient['send'] = (route, input, options) => {
    const sendThroughClient = () => client.send(route, input, options);
    if (options?.unattended === undefined) return queue.runAttended(route, sendThroughClient);
    return queue.runUnattended(
      route,
      sendThroughClient,
      options.signal,
      options.unattended === 'work' ? waitWhilePaused : undefined,
    );
  };
  return { ...client, send };
};
