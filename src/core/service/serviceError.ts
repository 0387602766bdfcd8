import * as z from 'zod';
import { Problem, createProblemText, type ProblemText } from '../base/problem.ts';
import type { Message } from '../../i18n/message.ts';
import {
  parseErrorCode,
  errorBody,
  exceedsJsonBounds,
  parseUntrustedJson,
  parseServiceSentence,
  isKeySentToRoute,
  type Route,
} from '../../contract/index.ts';

/**
 * `refused`: the request had no effect. `unreached`: it never left this machine. `unclear`: the service might have
 * processed it.
 */
export type RequestEffect = 'refused' | 'unreached' | 'unclear';

/** Thrown if a request to the service fails. `body` is undefined if the service did not answer. */
export class ServiceError extends Problem {
  readonly effect: RequestEffect;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** The connection stayed silent, so the service might still process the request. */
  readonly silent: boolean;

  constructor(facts: {
    code: string;
    sentence: string;
    says?: Message | undefined;
    effect: RequestEffect;
    status: number;
    body?: unknown;
    headers?: Record<string, string>;
    retryAfterS?: number | undefined;
    silent?: boolean;
    cause?: unknown;
  }) {
    super(facts.code, facts.sentence, {
      ...(facts.retryAfterS === undefined ? {} : { retryAfterS: facts.retryAfterS }),
      ...parseCurrentRate(facts.body),
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

const rateShape = z.looseObject({ rateCents: z.int().nonnegative() });

const parseCurrentRate = (body: unknown): { rateCents?: number } => {
  const parsed = rateShape.safeParse(body);
  return parsed.success ? { rateCents: parsed.data.rateCents } : {};
};

/** Returns whether the service or network is down, or the service asks to wait. */
export const isTransientError = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  error.code !== 'UNEXPECTED_ANSWER' &&
  (error.effect !== 'refused' || error.status === 429 || error.status >= 500);

/** Returns whether the service itself says that a resource does not exist. A 404 page of a proxy does not count. */
export const isUnknownAtService = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 404 && error.body !== undefined;

/** `text` is null if the answer is too large. */
export type Reply = { status: number; headers: Record<string, string>; text: string | null };

const maxCharacters = 64 * 1024;
const refusalBounds = { levels: 32, values: 2_000 };
/** No budget period of the service is longer. */
const maxRetryAfterS = 24 * 3_600;

/**
 * Converts an unsuccessful answer to an error. If the answer has a sentence or code of the service, the error has it
 * too.
 */
export const toRefusalError = (route: Route, { status, headers, text }: Reply): ServiceError => {
  const parsed = errorBody.safeParse(parseBoundedJson(text));
  const body = parsed.success ? parsed.data : undefined;
  const dead = status === 401 || (status === 403 && body?.message === 'Forbidden' && body.error === undefined);
  const sentence = parseServiceSentence(body?.error);
  const ours = dead ? getForbiddenText(route) : chooseRefusalText(status, sentence !== null);
  return new ServiceError({
    ...(sentence === null ? ours : { sentence }),
    code: parseErrorCode(body?.code) ?? ours.code,
    // Server errors and redirects do not show whether the request had an effect.
    effect: status >= 500 || status < 400 ? 'unclear' : 'refused',
    status,
    body,
    headers,
    retryAfterS: parseRetryAfter(headers['retry-after']),
  });
};

const parseBoundedJson = (text: string | null): unknown => {
  if (text === null || text.length > maxCharacters || exceedsJsonBounds(text, refusalBounds)) return undefined;
  try {
    return parseUntrustedJson(text);
  } catch {
    return undefined;
  }
};

const getForbiddenText = (route: Route): ProblemText =>
  createProblemText(isKeySentToRoute(route) ? 'RECONNECT_NEEDED' : 'NOT_FOR_ASSISTANTS');

/** A 403 with an error text of the service means that the resource belongs to another account. */
const chooseRefusalText = (status: number, explained: boolean): ProblemText => {
  if (status >= 500) return createProblemText('SERVICE_FAULT');
  if (status === 403 && explained) return { ...createProblemText('REFUSED'), code: 'NOT_YOURS' };
  if (status === 404) return createProblemText('NOT_FOUND.atService');
  if (status === 409) return { ...createProblemText('REFUSED'), code: 'WRONG_STATE' };
  return createProblemText(status === 429 ? 'TOO_MANY_REQUESTS' : 'REFUSED');
};

/** Returns the seconds of a Retry-After header, at most one day; undefined if it has no valid number. */
export const parseRetryAfter = (header: string | undefined): number | undefined => {
  const seconds = Number(header);
  const isTime = header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0;
  return isTime ? Math.min(seconds, maxRetryAfterS) : undefined;
};
