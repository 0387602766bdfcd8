import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchRoute, routeOf, type RawInput, type RouteName } from '../contract/index.ts';
import type { Assistants } from '../core/assistants/assistants.ts';
import { createBoundedMap } from '../core/base/boundedMap.ts';
import { Problem } from '../core/base/problem.ts';
import { sendJson, sendText } from './bridgeProblem.ts';
import type { AssistantApi, AssistantAnswer } from './assistantApi.ts';
import { authenticate, closeSignal, pathOf, queryOf, waitMsOf } from './guard.ts';
import { hasBody, readJson } from './readBody.ts';

/**
 * Serves every route of the service under the service's own paths, with the same methods, bodies and answers. A request
 * that needs approval is answered 202 with the approval.
 */
export const createServiceProxy =
  (api: AssistantApi, assistants: Assistants) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = readOf(request, response);
    const { name, params } = read ?? routeFor(request, response);
    const by = authenticate(assistants, request);
    if (read) remember(request, read);
    const answer = await api.call({
      by,
      route: name,
      input: read?.input ?? rawInputOf(request, { name, params }, await readJson(request)),
      reason: reasonOf(request),
      waitMs: waitMsOf(request),
      signal: closeSignal(request, response),
    });
    sendAnswer(response, answer, isNegotiated(name));
  };

type KnownRead = { name: RouteName; params: Record<string, string>; input: RawInput };
const readsRemembered = 2_000;
const longestRemembered = 1_000;
const reads = createBoundedMap<string, KnownRead>(readsRemembered);

/**
 * Returns the parsed read of a request; null if it is not a read without a body. Such a read depends on its URL only,
 * so the result is cached by URL.
 */
const readOf = (request: IncomingMessage, response: ServerResponse): KnownRead | null => {
  const { url = '/', headers } = request;
  if (request.method !== 'GET' || hasBody(request) || headers['idempotency-key'] !== undefined) return null;
  const known = reads.get(url);
  if (known) return known;
  const { name, params } = routeFor(request, response);
  return { name, params, input: rawInputOf(request, { name, params }, undefined) };
};

/** Whether the content type of the answer depends on the Accept header. */
const isNegotiated = (name: RouteName): boolean => 'accept' in (routeOf(name).headers?.shape ?? {});

/**
 * Caches a read. Only called for authenticated requests and limited in length, so that a stranger cannot fill the
 * cache.
 */
const remember = ({ url = '/' }: IncomingMessage, read: KnownRead): void => {
  if (url.length <= longestRemembered && reads.get(url) !== read && !isNegotiated(read.name)) reads.set(url, read);
};

/** Returns the route of a request. Throws for unknown routes and for routes that are not for assistants. */
const routeFor = (
  request: IncomingMessage,
  response: ServerResponse,
): { name: RouteName; params: Record<string, string> } => {
  const match = matchRoute(request.method ?? 'GET', pathOf(request));
  if (match.kind === 'refused')
    throw new Problem('NOT_FOR_ASSISTANTS', 'This part of the service is not for assistants.');
  if (match.kind === 'method') {
    response.setHeader('Allow', match.allowed.join(', '));
    throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${match.allowed.join(' and ')}.`);
  }
  if (match.kind === 'unknown')
    throw new Problem('UNKNOWN_ROUTE', 'The companion and the service have no such path. See /companion/guide.');
  if (match.name === 'startSignIn' || match.name === 'verifySignIn') {
    throw new Problem(
      'CONNECTION_IS_THE_PERSONS',
      'Only the person can connect the account. Ask them to open the companion.',
    );
  }
  return match;
};

const longestReason = 500;

/**
 * Returns the assistant's reason for a request (`Companion-Reason`, percent-encoded). The person sees it as the
 * assistant's words.
 */
export const reasonOf = (request: IncomingMessage): string | undefined => {
  const given = request.headers['companion-reason'];
  if (typeof given !== 'string') return undefined;
  try {
    return decodeURIComponent(given).slice(0, longestReason);
  } catch {
    throw new Problem('INVALID_REQUEST', 'Percent-encode the reason.', { field: 'Companion-Reason' });
  }
};

type Named = { name: RouteName; params: Record<string, string> };

/**
 * Like the service, a route with both content types answers text by default and JSON only if the Accept header names
 * it.
 */
const wantedKind = ({ headers: { accept = '' } }: IncomingMessage): string =>
  accept.includes('application/json') ? 'application/json' : 'text/markdown';

const rawInputOf = (request: IncomingMessage, { name, params }: Named, body: unknown): RawInput => {
  const key = request.headers['idempotency-key'];
  return {
    params,
    query: Object.fromEntries(queryOf(request)),
    headers: {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(isNegotiated(name) ? { accept: wantedKind(request) } : {}),
    },
    ...(body === undefined ? {} : { body }),
  };
};

const maxHostsNamed = 20;

/** Sends the answer of the service, or 202 with the approval that waits for the person. */
const sendAnswer = (response: ServerResponse, answer: AssistantAnswer, mayBeText: boolean): void => {
  if (answer.state === 'pending') {
    response.setHeader('Location', `/companion/approvals/${answer.approval.id}`);
    return sendJson(response, 202, JSON.stringify({ approval: answer.approval }));
  }
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (answer.source === 'cache') {
    response.setHeader('Companion-Source', 'cache');
    response.setHeader('Age', String(answer.ageS));
  }
  if (answer.told?.code) response.setHeader('Companion-Outcome', answer.told.code);
  if (answer.unknownHosts.length > 0)
    response.setHeader('Companion-Unknown-Host', answer.unknownHosts.slice(0, maxHostsNamed).join(', '));
  if (mayBeText && typeof answer.body === 'string')
    return sendText(response, answer.status, answer.body, 'text/markdown; charset=utf-8');
  sendJson(response, answer.status, answer.text ?? JSON.stringify(answer.body));
};
