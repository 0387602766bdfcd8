import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AssistantRegistry } from '../core/assistants/assistants.ts';
import type { AssistantAsker } from '../core/base/request.ts';
import { Problem } from '../core/base/problem.ts';
import { countHostHeaders } from '../loopback/http.ts';
import { hasRequestBody } from './readBody.ts';

const photoUploadPath = /^\/companion\/listings\/[^/]+\/photos$/;
/** Requests to these paths may have any content type here, because the upload slot checks the type itself. */
const uploadSlotPath = /^\/uploads\/[^/]+$/;
const jsonType = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i;
const photoType = /^image\/[a-z0-9.+-]+$/i;

/**
 * Refuses a request whose Host header is not this address, a request from a web page, and a body that is not JSON. No
 * CORS header is sent, so a web page can read no answer. Throws a `Problem`.
 */
export const refuseUnsafeHeaders = (request: IncomingMessage, port: number): void => {
  const { headers } = request;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '') || countHostHeaders(request) > 1)
    throw new Problem('WRONG_HOST', `Call the companion at http://${hosts[0]}.`);
  if (isFromWebPage(request)) throw new Problem('ORIGIN_REFUSED', 'Web pages may not call the companion.');
  if (headers.upgrade !== undefined) throw new Problem('NO_UPGRADE', 'The companion speaks plain HTTP only.');
  if (!hasRequestBody(request) || uploadSlotPath.test(getRequestPath(request))) return;
  const type = headers['content-type'] ?? '';
  const photo = photoUploadPath.test(getRequestPath(request)) && photoType.test(type);
  if (!photo && !jsonType.test(type)) throw new Problem('JSON_ONLY', 'Send the body as application/json.');
};

/**
 * Returns whether a web page sent the request. `Sec-Fetch-Mode` is ignored, because Node's own fetch also sends this
 * header.
 */
const isFromWebPage = ({ headers }: IncomingMessage): boolean =>
  // Node joins repeated headers with a comma, so a repeated `none` is also refused.
  headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';

/** Returns the percent-encoded path of a request without the query. */
export const getRequestPath = ({ url = '/' }: IncomingMessage): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};

export const parseRequestQuery = ({ url = '/' }: IncomingMessage): URLSearchParams => {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
};

/** Returns the assistant that sent a request, even if it is paused. Throws if the token is missing or unknown. */
export const identifyAssistant = (
  assistants: AssistantRegistry,
  request: IncomingMessage,
): { asker: AssistantAsker; isPaused: boolean } => {
  const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const found = token === undefined ? null : assistants.authenticate(token);
  if (!found) {
    throw new Problem(
      'UNAUTHORIZED',
      'Pair with the companion first: POST /companion/pairings with your name, then send the token as Authorization: Bearer.',
    );
  }
  const { assistantId, name, paused: isPaused } = found;
  return { asker: { kind: 'assistant', assistantId, name }, isPaused };
};

/**
 * Returns the assistant that sent a request. Throws if the token is missing or unknown, or if the assistant is paused.
 */
export const authenticateAssistant = (assistants: AssistantRegistry, request: IncomingMessage): AssistantAsker => {
  const { asker, isPaused } = identifyAssistant(assistants, request);
  if (isPaused)
    throw new Problem('ASSISTANT_PAUSED', 'The person has paused this assistant. Ask them before going on.');
  return asker;
};

export const maxWaitMs = 45_000;

/** Returns how many ms the caller wants to wait, from `Prefer: wait=N` or `?wait=N` in seconds. */
export const parseWaitMs = (request: IncomingMessage): number => {
  const [, preferred] = /(?:^|[,;\s])wait=(\d{1,4})\b/.exec(String(request.headers['prefer'] ?? '')) ?? [];
  const asked = preferred ?? parseRequestQuery(request).get('wait') ?? '0';
  return /^\d{1,4}$/.test(asked) ? Math.min(Number(asked) * 1_000, maxWaitMs) : 0;
};

/** Returns a signal that aborts when the caller disconnects. A request that was already sent can still take effect. */
export const createDisconnectSignal = (request: IncomingMessage, response: ServerResponse): AbortSignal => {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort(new Error(`${request.method} was hung up`));
  });
  return abort.signal;
};
