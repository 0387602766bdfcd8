import type { ServerResponse } from 'node:http';
import { findOwnEntry, formRefusals, publishRefusals } from '../contract/index.ts';
import { type DeclineReason, Problem, toProblemView } from '../core/base/problem.ts';
import { ServiceError } from '../core/service/serviceError.ts';
import { answerAndClose } from '../loopback/http.ts';

/** The HTTP status of each of the companion's own codes. A refusal by the service keeps the service's status. */
export const problemStatuses: Record<string, number> = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  NO_UPGRADE: 400,
  NOT_ALLOWED: 403,
  FOLDER_NOT_ALLOWED: 403,
  PERSON_DECLINED: 403,
  APPROVAL_EXPIRED: 403,
  APPROVAL_WITHDRAWN: 409,
  TAKEN_BACK: 409,
  ALREADY_ASKED: 409,
  ACCOUNT_CHANGED: 409,
  PHOTOS_UPLOADING: 409,
  EXTRAS_OFF: 409,
  EXTRAS_APPROVAL_REQUIRED: 409,
  SUPERSEDED: 409,
  ASKED_AGAIN: 409,
  NOT_DONE: 409,
  REFUSED_YET_DONE: 409,
  CONTRADICTED: 502,
  NOT_CHECKED: 502,
  UNCONFIRMED: 502,
  WRONG_STATE: 409,
  TOO_LATE: 409,
  NOT_NOW: 409,
  CANCELLED: 409,
  RATE_CHANGED: 409,
  NOT_WHAT_WAS_SHOWN: 409,
  PROMPT_NOT_SHOWN: 409,
  SHOWN_TOO_BRIEFLY: 409,
  EXTRAS_UNAVAILABLE: 409,
  PUBLISH_BLOCKED: 409,
  ALREADY_SUBSCRIBED: 409,
  NO_SUBSCRIPTION: 409,
  STORE_MANAGED: 409,
  CONNECTION_IS_THE_PERSONS: 403,
  NOT_FOR_ASSISTANTS: 403,
  ASSISTANT_PAUSED: 403,
  ORIGIN_REFUSED: 403,
  NOT_YOUR_LISTING: 403,
  OWN_LISTINGS_ONLY: 403,
  NOT_YOURS: 403,
  UPLOAD_CLOSED: 403,
  NOT_FOUND: 404,
  MISSING_PATH: 404,
  UNKNOWN_ROUTE: 404,
  METHOD_NOT_ALLOWED: 405,
  SLOW_BODY: 408,
  BODY_TOO_LARGE: 413,
  PHOTO_TOO_LARGE: 413,
  JSON_ONLY: 415,
  UPLOAD_TYPE: 415,
  EXPECTATION_REFUSED: 417,
  WRONG_HOST: 421,
  NO_PHOTOS_FOUND: 422,
  NOT_A_PHOTO: 422,
  LINK_OUTSIDE: 422,
  UNREADABLE_PHOTO: 422,
  TOO_MANY_PHOTOS: 422,
  APPROVAL_NOT_REQUIRED: 422,
  HEADERS_TOO_LARGE: 431,
  TOO_MANY_WAITING: 429,
  BUDGET_SPENT: 429,
  TOO_MANY_PAIRINGS: 429,
  TOO_MANY_STREAMS: 429,
  TOO_MANY_UPLOADS: 429,
  SLOW_DOWN: 429,
  FIVE_AT_A_TIME: 429,
  EXTRAS_IN_FLIGHT: 429,
  INTAKE_FAILED: 400,
  INTAKE_MISSING: 409,
  UNEXPECTED_ANSWER: 502,
  UPLOAD_SLOTS: 502,
  UPLOAD_ADDRESS: 502,
  UPLOAD_REFUSED: 502,
  UPLOAD_FAILED: 502,
  DISK_FULL: 507,
  MACHINE_BUSY: 503,
  PORT_SHARED: 503,
  DATA_CHECKING: 503,
  DATA_DAMAGED: 503,
  STANDING_UNKNOWN: 503,
  PHOTOS_UNREADABLE: 503,
  NOT_CONNECTED: 503,
  RECONNECT_NEEDED: 503,
  SERVICE_UNREACHABLE: 503,
  NO_ANSWER: 504,
};

const sharedStatuses: Record<string, number> = {
  ...Object.fromEntries([...formRefusals].map((code) => [code, 400])),
  ...Object.fromEntries(publishRefusals.map((code) => [code, 409])),
  IDEMPOTENCY_KEY_REUSED: 409,
};

const getProblemCode = (error: unknown): string => toProblemView(error).code;

/** Returns the HTTP status of an error: the status of the companion's code, else the service's status, else 500. */
export const toHttpStatus = (error: unknown): number => {
  const own = findOwnEntry(problemStatuses, getProblemCode(error));
  if (own !== undefined) return own;
  if (!(error instanceof ServiceError) || error.status < 400)
    return findOwnEntry(sharedStatuses, getProblemCode(error)) ?? 500;
  return error.status < 600 ? error.status : 502;
};

/**
 * If the request named an outdated rate, returns the current rate, because the person must see the current rate before
 * the next request.
 */
export const getCurrentRateFields = (error: unknown): { rateCents?: number } =>
  error instanceof Problem && error.rateCents !== undefined ? { rateCents: error.rateCents } : {};

/**
 * Returns the fields of an answer's body that report a decline: the reason, and how long an identical request is
 * refused.
 */
const toDeclineFields = ({
  declinedBecause,
  retryAfterS,
}: {
  declinedBecause?: DeclineReason | undefined;
  retryAfterS?: number | undefined;
}): { declinedBecause?: DeclineReason; retryAfterS?: number } =>
  declinedBecause === undefined ? {} : { declinedBecause, ...(retryAfterS === undefined ? {} : { retryAfterS }) };

/**
 * Returns an error as a body with a sentence and a code. If the service refused the request, the body also contains the
 * fields of the service's answer.
 */
export const toProblemBody = (error: unknown): { status: number; retryAfterS: number | undefined; body: object } => {
  const { sentence, code, field, retryAfterS } = toProblemView(error);
  const own =
    error instanceof ServiceError && error.status >= 400 && findOwnEntry(problemStatuses, error.code) === undefined;
  const body = own && error.body !== null && typeof error.body === 'object' ? error.body : {};
  return {
    status: toHttpStatus(error),
    retryAfterS,
    body: {
      ...body,
      error: sentence,
      code,
      ...(field === undefined ? {} : { field }),
      ...getCurrentRateFields(error),
      ...toDeclineFields(toProblemView(error)),
    },
  };
};

/** Names the scheme of the missing credentials. */
export const schemeHeader = 'WWW-Authenticate';

/**
 * Answers a request with an error, or aborts the connection if an answer is half sent. It never throws, because no
 * other code catches its errors.
 */
export const sendProblemAnswer = (response: ServerResponse, error: unknown): void => {
  if (response.headersSent) return void (response.writableEnded || response.destroy());
  try {
    const { status, retryAfterS, body } = toProblemBody(error);
    if (retryAfterS !== undefined) response.setHeader('Retry-After', String(retryAfterS));
    if (status === 401 && !response.hasHeader(schemeHeader)) response.setHeader(schemeHeader, 'Bearer');
    sendJsonBody(response, status, JSON.stringify(body));
  } catch {
    if (response.headersSent) return void response.destroy();
    sendJsonBody(response, 500, JSON.stringify(toProblemBody(null).body));
  }
};

const bodilessStatuses = [204, 205, 304];
/** Every answer has these headers, so that no program stores it or guesses its type. */
const safeHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const safeHeaderList = Object.entries(safeHeaders).flat();

/** Sets the headers that every answer has. Only `sendTextBody` writes them by itself. */
export const setSafeHeaders = (response: ServerResponse): void => {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
};

export const sendJsonBody = (
  response: ServerResponse,
  status: number,
  text: string,
  headers?: readonly string[],
): void => sendTextBody(response, status, { text, kind: 'application/json; charset=utf-8' }, headers);

/**
 * Sends a text as the answer. `headers` are names and values in turn, because Node writes such a list four times as
 * fast as headers that are set one by one. If the request is too large, the function does not wait for the rest of its
 * body.
 */
export const sendTextBody = (
  response: ServerResponse,
  status: number,
  { text, kind }: { text: string; kind: string },
  headers: readonly string[] = [],
): void => {
  const all = [...safeHeaderList, ...headers];
  if (bodilessStatuses.includes(status)) return void response.writeHead(status, all).end();
  if (status === 413 && !response.req.complete) {
    response.statusCode = status;
    setSafeHeaders(response);
    response.setHeader('Content-Type', kind);
    return answerAndClose(response, text);
  }
  const bytes = Buffer.byteLength(text);
  all.push('Content-Type', kind, 'Content-Length', String(bytes));
  // Text in which each character is one byte is ASCII, and Node writes Latin-1 without encoding it first.
  response.writeHead(status, all).end(text, bytes === text.length ? 'latin1' : 'utf8');
};
