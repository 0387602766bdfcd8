import { Problem } from '../base/problem.ts';
import type { Message } from '../../i18n/message.ts';

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

/** True for what passes by itself: the service or the way to it is down, or it asks to wait. */
export const isPassing = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  error.code !== 'UNEXPECTED_ANSWER' &&
  (error.effect !== 'refused' || error.status === 429 || error.status >= 500);
