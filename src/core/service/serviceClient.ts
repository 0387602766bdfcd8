import { Agent } from 'undici';
import {
  errorBody,
  isRepeatable,
  pathOf,
  routeOf,
  type AnswerOf,
  type ParsedInput,
  type Route,
  type RouteName,
} from '../../contract/index.ts';
import type { Clock } from '../ports.ts';
import { exchange } from './exchange.ts';
import { ServiceError } from './serviceError.ts';

export type ServiceAnswer<N extends RouteName> = {
  status: number;
  headers: Record<string, string>;
  answer: AnswerOf<N>;
  /** The answer as the service wrote it; absent when it wrote nothing. */
  text?: string;
};

/** Sends requests to the service. Only the core has one: it holds the key. */
export type ServiceClient = {
  send: <N extends RouteName>(name: N, input: ParsedInput<N>, options?: SendOptions) => Promise<ServiceAnswer<N>>;
};
export type SendOptions = { signal?: AbortSignal | undefined; key?: string };

type Parts = {
  baseUrl: () => string;
  key: () => Promise<string | null>;
  clock: Clock;
  /** Told after every request whether the service answered at all. */
  reached: (ok: boolean) => void;
  /** Told when a key that worked no longer does. */
  keyDied: () => void;
};

type Loose = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
};
type Reply = { status: number; headers: Record<string, string>; text: string };

const timeoutMs = 60_000;
const mostConnections = 32;
const againAfterMs = 1_000;
const forbiddenAgainAfterMs = 3_000;
const passedOn = ['idempotent-replayed', 'retry-after'];

/**
 * A client of the whole interface. A request is sent once; once more after a short wait when it is safe to repeat and
 * the service or the network failed, or when the answer was a bare 403. Throws `ServiceError`.
 */
export const createServiceClient = (parts: Parts): ServiceClient => {
  const dispatcher = new Agent({ connections: mostConnections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const once = async (route: Route, input: Loose, options: SendOptions): Promise<Reply> => {
    const key = options.key ?? (route.access === 'agent' ? await parts.key() : null);
    if (route.access === 'agent' && key === null) throw notConnected();
    const content = input.body === undefined ? undefined : JSON.stringify(input.body);
    try {
      const { status, headers, text } = await exchange(dispatcher, {
        method: route.method,
        url: new URL(parts.baseUrl() + pathOf(route.path, input.params, input.query)),
        headers: {
          accept: 'application/json',
          ...(content === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...definedOnly(input.headers),
        },
        body: content ?? null,
        signal: options.signal,
      });
      parts.reached(true);
      return { status, headers: passedOnOf(headers), text };
    } catch (error) {
      options.signal?.throwIfAborted();
      parts.reached(false);
      throw unanswered(error);
    }
  };

  const send = async <N extends RouteName>(
    name: N,
    input: ParsedInput<N>,
    options: SendOptions = {},
  ): Promise<ServiceAnswer<N>> => {
    const route = routeOf(name);
    const attempt = async () => readReply(route, await once(route, input, options));
    try {
      return (await attempt()) as ServiceAnswer<N>;
    } catch (error) {
      const wait = waitBeforeAgain(route, error);
      if (wait === null) throw error;
      await parts.clock.sleep(wait, options.signal);
      return (await attempt().catch((second: unknown) => {
        if (isBareForbidden(second)) parts.keyDied();
        throw second;
      })) as ServiceAnswer<N>;
    }
  };
  return { send };
};

const definedOnly = (headers: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** The headers of an answer that callers get to see. */
const passedOnOf = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

const readReply = (
  route: Route,
  reply: Reply,
): { status: number; headers: Record<string, string>; answer: unknown; text?: string } => {
  const { headers } = reply;
  const body = parseBody(reply);
  if (reply.status >= 300 || reply.status < 200) throw refusal(reply, body, headers);
  const parsed = route.answer.safeParse(body);
  if (!parsed.success) {
    throw new ServiceError({
      code: 'UNEXPECTED_ANSWER',
      sentence: 'The service answered in a way this version of the companion does not understand.',
      effect: 'unclear',
      status: reply.status,
      cause: parsed.error,
    });
  }
  return { status: reply.status, headers, answer: parsed.data, ...(reply.text === '' ? {} : { text: reply.text }) };
};

const parseBody = ({ text }: Reply): unknown => {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const refusal = (reply: Reply, raw: unknown, headers: Record<string, string>): ServiceError => {
  const parsed = errorBody.safeParse(raw);
  const body = parsed.success ? parsed.data : {};
  const retryAfterS = secondsOf(reply.headers['retry-after']);
  return new ServiceError({
    code: body.code ?? codeOf(reply.status, body.error === undefined),
    sentence: body.error ?? sentenceOf(reply.status),
    // Where a redirect would have led, nobody knows.
    effect: reply.status >= 500 || reply.status < 400 ? 'unclear' : 'refused',
    status: reply.status,
    body: raw,
    headers,
    retryAfterS,
  });
};

const codeOf = (status: number, bare: boolean): string => {
  if (status === 401 || (status === 403 && bare)) return 'RECONNECT_NEEDED';
  if (status === 403) return 'NOT_YOURS';
  if (status === 404) return 'NOT_FOUND';
  if (status === 409) return 'WRONG_STATE';
  if (status === 429) return 'TOO_MANY_REQUESTS';
  return status >= 500 ? 'SERVICE_FAULT' : 'REFUSED';
};

const sentenceOf = (status: number): string => {
  if (status === 401 || status === 403) return 'The service no longer accepts this connection. Please connect again.';
  if (status === 404) return 'The service does not know this any more.';
  if (status === 429) return 'The service asks to wait before trying again.';
  return status >= 500
    ? 'The service has a fault right now. Please try again in a moment.'
    : 'The service refused the request.';
};

const secondsOf = (header: string | undefined): number | undefined => {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

const isBareForbidden = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 403 && error.code === 'RECONNECT_NEEDED';

const waitBeforeAgain = (route: Route, error: unknown): number | null => {
  if (!(error instanceof ServiceError)) return null;
  if (isBareForbidden(error)) return forbiddenAgainAfterMs;
  if (error.effect === 'refused' || error.code === 'UNEXPECTED_ANSWER') return null;
  if (error.effect === 'unclear' && !isRepeatable(route)) return null;
  // A long Retry-After is for the caller to show or to wait for, not for a hidden repeat.
  return error.retryAfterS === undefined ? againAfterMs : error.retryAfterS <= 5 ? error.retryAfterS * 1_000 : null;
};

/** Errors that say that no connection was made: the request cannot have had an effect. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const causeCode = (error: unknown): string | undefined => {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
};

const unanswered = (cause: unknown): ServiceError => {
  const never = beforeSending.has(causeCode(cause) ?? '');
  return new ServiceError({
    code: never ? 'SERVICE_UNREACHABLE' : 'NO_ANSWER',
    sentence: never
      ? 'The service cannot be reached. Check the internet connection; nothing was sent.'
      : 'The service did not answer, so it is not known whether the request arrived.',
    effect: never ? 'unreached' : 'unclear',
    status: 0,
    cause,
  });
};

const notConnected = () =>
  new ServiceError({ code: 'NOT_CONNECTED', sentence: 'Connect your account first.', effect: 'refused', status: 401 });
