import * as z from 'zod';
import { Problem, createProblemText, type ProblemText } from '../base/problem.ts';
import type { Message } from '../../i18n/message.ts';
import {
  parseErrorCode,
  errorBody,
  exceedsJsonBounds,
  parseUntrustedJson,
  parseServiceSentence,
  isSentWithKey,
  type Route,
} from '../../contract/index.ts';

/**
 * The known effect of a failed request. `refused`: the service refused it and nothing happened. `unreached`: it
 * never left this machine. `unclear`: it may have been processed.
 */
export type RequestEffect = 'refused' | 'unreached' | 'unclear';

/** The error of a failed request. `body` is the service's answer, if there was one. */
export class ServiceError extends Problem {
  readonly effect: RequestEffect;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** The request was sent and the connection stayed silent: the service may still be processing it. */
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
      ...readNamedRate(facts.body),
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

/** Reads the rate in a refusal. */
const readNamedRate = (body: unknown): { rateCents?: number } => {
  const parsed = rateShape.safeParse(body);
  return parsed.success ? { rateCents: parsed.data.rateCents } : {};
};

/** Returns whether an error is transient: the service or network is down, or the service asks to wait. */
export const isTransientError = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  error.code !== 'UNEXPECTED_ANSWER' &&
  (error.effect !== 'refused' || error.status === 429 || error.status >= 500);

/** Returns whether the service itself reports the resource as unknown; a proxy's 404 page does not count. */
export const isUnknownAtService = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 404 && error.body !== undefined;

/** A raw answer; `text` is null if it exceeded a size limit. */
export type Reply = { status: number; headers: Record<string, string>; text: string | null };

/** The size limit of a refusal's body; larger bodies are ignored. */
const maxCharacters = 64 * 1024;
const refusalBounds = { levels: 32, values: 2_000 };
/** The longest budget period of the interface caps every wait. */
const maxRetryAfterS = 24 * 3_600;

/**
 * Converts an unsuccessful answer to an error, with the service's sentence and code if given, otherwise ours. A
 * proxy's page is discarded.
 */
export const toRefusalError = (route: Route, { status, headers, text }: Reply): ServiceError => {
  const parsed = errorBody.safeParse(parseBoundedJson(text));
  const body = parsed.success ? parsed.data : undefined;
  const dead = status === 401 || (status === 403 && body?.message === 'Forbidden' && body.error === undefined);
  const sentence = parseServiceSentence(body?.error);
  const ours = dead ? toForbiddenText(route) : chooseRefusalText(status, sentence !== null);
  return new ServiceError({
    ...(sentence === null ? ours : { sentence }),
    code: parseErrorCode(body?.code) ?? ours.code,
    // The effect of a redirect is unknown.
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

/**
 * Returns the text of a bare 403: the key is no longer valid, or, on routes without a key, the route is not for
 * assistants.
 */
const toForbiddenText = (route: Route): ProblemText =>
  createProblemText(isSentWithKey(route) ? 'RECONNECT_NEEDED' : 'NOT_FOR_ASSISTANTS');

/** Chooses our text for a refusal. A 403 means a resource of another account only if the service explains it. */
const chooseRefusalText = (status: number, explained: boolean): ProblemText => {
  if (status >= 500) return createProblemText('SERVICE_FAULT');
  if (status === 403 && explained) return { ...createProblemText('REFUSED'), code: 'NOT_YOURS' };
  if (status === 404) return createProblemText('NOT_FOUND.atService');
  if (status === 409) return { ...createProblemText('REFUSED'), code: 'WRONG_STATE' };
  return createProblemText(status === 429 ? 'TOO_MANY_REQUESTS' : 'REFUSED');
};

/** Parses a Retry-After header in seconds, capped at one day; undefined if it has none. */
export const parseRetryAfter = (header: string | undefined): number | undefined => {
  const seconds = Number(header);
  const isTime = header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0;
  return isTime ? Math.min(seconds, maxRetryAfterS) : undefined;
};
