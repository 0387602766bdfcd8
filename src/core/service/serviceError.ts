import * as z from 'zod';
import { Problem, problemText, type ProblemText } from '../base/problem.ts';
import type { Message } from '../../i18n/message.ts';
import {
  codeIn,
  errorBody,
  exceedsJsonBounds,
  parseJson,
  sentenceIn,
  takesKey,
  type Route,
} from '../../contract/index.ts';

/**
 * What is known of the effect of a request that did not succeed.
 * `refused`: the service said no, nothing happened. `unreached`: it never left this machine. `unclear`: it may have happened.
 */
export type Effect = 'refused' | 'unreached' | 'unclear';

/** A request that the service did not fulfil. `body` is the service's own answer, where there was one. */
export class ServiceError extends Problem {
  readonly effect: Effect;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** It was taken and nothing was said about it: the service may still be at work on it. */
  readonly silent: boolean;

  constructor(facts: {
    code: string;
    sentence: string;
    says?: Message | undefined;
    effect: Effect;
    status: number;
    body?: unknown;
    headers?: Record<string, string>;
    retryAfterS?: number | undefined;
    silent?: boolean;
    cause?: unknown;
  }) {
    super(facts.code, facts.sentence, {
      ...(facts.retryAfterS === undefined ? {} : { retryAfterS: facts.retryAfterS }),
      ...rateIn(facts.body),
      cause: facts.cause,
      says: facts.says,
    });
    this.name = 'ServiceError';
    this.effect = facts.effect;
    this.status = facts.status;
    this.body = facts.body;
    this.headers = facts.headers ?? {};
    this.silent = facts.silent ?? false;
  }
}

const named = z.looseObject({ rateCents: z.int().nonnegative() });

/** The rate that a refusal names. */
const rateIn = (body: unknown): { rateCents?: number } => {
  const parsed = named.safeParse(body);
  return parsed.success ? { rateCents: parsed.data.rateCents } : {};
};

/** True for what passes by itself: the service or the way to it is down, or it asks to wait. */
export const isTransient = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  error.code !== 'UNEXPECTED_ANSWER' &&
  (error.effect !== 'refused' || error.status === 429 || error.status >= 500);

/** The service itself says that it does not know what was asked for; a proxy's page says nothing of it. */
export const isUnknownAtService = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 404 && error.body !== undefined;

/** An answer as it came over the wire; `text` is null when there was too much of it. */
export type Reply = { status: number; headers: Record<string, string>; text: string | null };

/** What a refusal may say besides its sentence; more than this is no refusal of the interface. */
const mostCharacters = 64 * 1024;
const bounds = { levels: 32, values: 2_000 };
/** Nobody waits longer than the longest of the interface's budgets lasts. */
const longestWaitS = 24 * 3_600;

/**
 * The error of an answer that is no success: the service's own sentence and code where it gave them, ours where it did
 * not. A page of a proxy is no body: nothing of it is kept.
 */
export const refusalOf = (route: Route, { status, headers, text }: Reply): ServiceError => {
  const parsed = errorBody.safeParse(jsonOf(text));
  const body = parsed.success ? parsed.data : undefined;
  const dead = status === 401 || (status === 403 && body?.message === 'Forbidden' && body.error === undefined);
  const sentence = sentenceIn(body?.error);
  const ours = dead ? forbidden(route) : ownText(status, sentence !== null);
  return new ServiceError({
    ...(sentence === null ? ours : { sentence }),
    code: codeIn(body?.code) ?? ours.code,
    // Where a redirect would have led, nobody knows.
    effect: status >= 500 || status < 400 ? 'unclear' : 'refused',
    status,
    body,
    headers,
    retryAfterS: secondsOf(headers['retry-after']),
  });
};

const jsonOf = (text: string | null): unknown => {
  if (text === null || text.length > mostCharacters || exceedsJsonBounds(text, bounds)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/** A bare "Forbidden": of a route that takes the key, the key no longer works; any other is not for assistants. */
const forbidden = (route: Route): ProblemText =>
  problemText(takesKey(route) ? 'RECONNECT_NEEDED' : 'NOT_FOR_ASSISTANTS');

/** A text of our own for a refusal; only one with a sentence of the service's is known to be about whose it is. */
const ownText = (status: number, explained: boolean): ProblemText => {
  if (status >= 500) return problemText('SERVICE_FAULT');
  if (status === 403 && explained) return { ...problemText('REFUSED'), code: 'NOT_YOURS' };
  if (status === 404) return problemText('NOT_FOUND.atService');
  if (status === 409) return { ...problemText('REFUSED'), code: 'WRONG_STATE' };
  return problemText(status === 429 ? 'TOO_MANY_REQUESTS' : 'REFUSED');
};

/** The seconds of a Retry-After header, a day at most; undefined when it names none. */
export const secondsOf = (header: string | undefined): number | undefined => {
  const seconds = Number(header);
  const isTime = header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0;
  return isTime ? Math.min(seconds, longestWaitS) : undefined;
};
