import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchRouteByPath, getRouteByName, type RawInput, type RouteName } from '../contract/index.ts';
import type { AssistantRegistry } from '../core/assistants/assistants.ts';
import { createBoundedMap } from '../core/base/boundedMap.ts';
import { Problem } from '../core/base/problem.ts';
import { sendJsonBody, sendTextBody } from './bridgeProblem.ts';
import type { AssistantAnswer } from './approvalCalls.ts';
import type { AssistantApi } from './assistantApi.ts';
import {
  authenticateAssistant,
  createDisconnectSignal,
  getRequestPath,
  parseRequestQuery,
  parseWaitMs,
} from './guard.ts';
import { hasRequestBody, readJsonBody } from './readBody.ts';

/**
 * Serves every route of the service under its own path. If a request needs approval, the answer is 202 with the
 * approval.
 */
export const createServiceProxy =
  (api: AssistantApi, assistants: AssistantRegistry) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = findCacheableRead(request, response);
    const { name, params } = read ?? matchServiceRoute(request, response);
    const by = authenticateAssistant(assistants, request);
    if (read) cacheParsedRead(request, read);
    const body = hasRequestBody(request) ? await readJsonBody(request) : undefined;
    const answer = await api.call({
      by,
      route: name,
      input: read?.input ?? toRawInput(request, { name, params }, body),
      reason: parseRequestReason(request),
      waitMs: parseWaitMs(request),
      signal: createDisconnectSignal(request, response),
    });
    sendAssistantAnswer(response, answer, negotiatesContentType(name));
  };

type KnownRead = { name: RouteName; params: Record<string, string>; input: RawInput };
const maxRememberedReads = 2_000;
const maxRememberedUrlChars = 1_000;
const rememberedReads = createBoundedMap<string, KnownRead>(maxRememberedReads);

/** A read without a body depends only on its URL, so its parsed form is cached by URL. */
const findCacheableRead = (request: IncomingMessage, response: ServerResponse): KnownRead | null => {
  const { url = '/', headers } = request;
  if (request.method !== 'GET' || hasRequestBody(request) || headers['idempotency-key'] !== undefined) return null;
  const known = rememberedReads.get(url);
  if (known) return known;
  const { name, params } = matchServiceRoute(request, response);
  return { name, params, input: toRawInput(request, { name, params }, undefined) };
};

const negotiatesContentType = (name: RouteName): boolean => 'accept' in (getRouteByName(name).headers?.shape ?? {});

/** Call it only for authenticated requests, so that a stranger cannot fill the cache. */
const cacheParsedRead = ({ url = '/' }: IncomingMessage, read: KnownRead): void => {
  if (url.length <= maxRememberedUrlChars && rememberedReads.get(url) !== read && !negotiatesContentType(read.name))
    rememberedReads.set(url, read);
};

const matchServiceRoute = (
  request: IncomingMessage,
  response: ServerResponse,
): { name: RouteName; params: Record<string, string> } => {
  const match = matchRouteByPath(request.method ?? 'GET', getRequestPath(request));
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

const maxReasonChars = 500;

/**
 * Returns the assistant's reason for a request, from the percent-encoded header `Companion-Reason`. The person sees the
 * reason in the prompt.
 */
export const parseRequestReason = (request: IncomingMessage): string | undefined => {
  const given = request.headers['companion-reason'];
  if (typeof given !== 'string') return undefined;
  try {
    return decodeURIComponent(given).slice(0, maxReasonChars);
  } catch {
    throw new Problem('INVALID_REQUEST', 'Percent-encode the reason.', { field: 'Companion-Reason' });
  }
};

type NamedRoute = { name: RouteName; params: Record<string, string> };

/** Like the service, answers with text unless the Accept header names JSON. */
const chooseContentType = ({ headers: { accept = '' } }: IncomingMessage): string =>
  accept.includes('application/json') ? 'application/json' : 'text/markdown';

const toRawInput = (request: IncomingMessage, { name, params }: NamedRoute, body: unknown): RawInput => {
  const key = request.headers['idempotency-key'];
  return {
    params,
    query: Object.fromEntries(parseRequestQuery(request)),
    headers: {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(negotiatesContentType(name) ? { accept: chooseContentType(request) } : {}),
    },
    ...(body === undefined ? {} : { body }),
  };
};

const maxHostsNamed = 20;

const sendAssistantAnswer = (response: ServerResponse, answer: AssistantAnswer, mayBeText: boolean): void => {
  if (answer.state === 'pending') {
    const { approval } = answer;
    return sendJsonBody(response, 202, JSON.stringify({ approval }), [
      'Location',
      `/companion/approvals/${approval.id}`,
    ]);
  }
  const headers: string[] = [];
  for (const [name, value] of Object.entries(answer.headers)) headers.push(name, value);
  if (answer.source === 'cache') headers.push('Companion-Source', 'cache', 'Age', String(answer.ageS));
  if (answer.told?.code) headers.push('Companion-Outcome', answer.told.code);
  if (answer.unknownHosts.length > 0)
    headers.push('Companion-Unknown-Host', answer.unknownHosts.slice(0, maxHostsNamed).join(', '));
  const { status, body } = answer;
  if (mayBeText && typeof body === 'string')
    return sendTextBody(response, status, { text: body, kind: 'text/markdown; charset=utf-8' }, headers);
  sendJsonBody(response, status, answer.text ?? JSON.stringify(body), headers);
};
