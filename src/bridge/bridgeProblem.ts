import type { Response } from 'express';
import { Problem, problemView } from '../core/problem.ts';
import { ServiceError } from '../core/service/serviceError.ts';

/** The HTTP status of the companion's own codes; the service's refusals keep the service's status. */
const statuses: Record<string, number> = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  PERSON_DECLINED: 403,
  APPROVAL_EXPIRED: 403,
  APPROVAL_WITHDRAWN: 409,
  SUPERSEDED: 409,
  NOT_DONE: 409,
  WRONG_STATE: 409,
  PUBLISH_BLOCKED: 409,
  CONNECTION_IS_THE_PERSONS: 403,
  LINKS_ARE_THE_PERSONS: 403,
  NOT_FOR_ASSISTANTS: 403,
  ASSISTANT_PAUSED: 403,
  ORIGIN_REFUSED: 403,
  NOT_YOUR_LISTING: 403,
  NOT_FOUND: 404,
  UNKNOWN_ROUTE: 404,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_LARGE: 413,
  JSON_ONLY: 415,
  WRONG_HOST: 421,
  TOO_MANY_WAITING: 429,
  BUDGET_SPENT: 429,
  TOO_MANY_PAIRINGS: 429,
  NOT_CONNECTED: 503,
  RECONNECT_NEEDED: 503,
  SERVICE_UNREACHABLE: 503,
  NO_ANSWER: 504,
};

const statusOf = (error: unknown): number => {
  if (error instanceof Problem && statuses[error.code] !== undefined) return statuses[error.code] ?? 500;
  if (error instanceof ServiceError && error.status >= 400) return error.status;
  return 500;
};

/** Answers an error as the service does: a sentence and a code; the service's own body passes as it came. */
export const sendProblem = (response: Response, error: unknown): void => {
  if (response.headersSent) return;
  const { sentence, code, field, retryAfterS } = problemView(error);
  if (retryAfterS !== undefined) response.setHeader('Retry-After', String(retryAfterS));
  const own = error instanceof ServiceError && error.status >= 400 && statuses[error.code] === undefined;
  const body = own && error.body !== null && typeof error.body === 'object' ? error.body : {};
  response.status(statusOf(error)).json({ ...body, error: sentence, code, ...(field === undefined ? {} : { field }) });
};
