import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import type { AssistantAsker } from '../../core/base/request.ts';
import { createBoundedMap } from '../../core/base/boundedMap.ts';
import type { Clock } from '../../core/base/ports.ts';
import { Problem } from '../../core/base/problem.ts';
import type { PersonTexts } from '../../core/companion/personTexts.ts';
import { createDisconnectSignal } from '../guard.ts';
import { callTool, type CompanionWindowLink } from './callTool.ts';
import { createUndeliveredCallStore } from './serviceCalls.ts';
import { WindowNeeded, type UndeliveredRequests, type PersonWindow, type ToolApi } from './tool.ts';
import { createMcpServer, opensUrls, type RunTool, type ToolCall } from './mcpServer.ts';
import { cardTool, hasCardSupport, addCardTexts } from './resources.ts';

export type McpRouteContext = {
  api: ToolApi;
  clock: Clock;
  version: string;
  guide: () => Promise<string>;
  personTexts: () => Promise<PersonTexts>;
  windowUrl: () => string | null;
  /** Returns the assistant, even if it is paused: each of its tool calls is then refused. */
  caller: (request: Request) => AssistantAsker;
};

/** The protocol requires support for subscriptions. The server never announces changes, so a few are enough. */
const maxSubscriptions = 16;
const exchange = z.object({
  by: z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
  signal: z.instanceof(AbortSignal),
  response: z.instanceof(ServerResponse),
  session: z.string(),
});
type Exchange = z.infer<typeof exchange>;

const maxAssistantsWithCalls = 100;

/** Undelivered calls are stored per assistant, so that one assistant cannot evict another assistant's calls. */
const createUndeliveredCallsByAssistant = (clock: Clock) => {
  const byAssistant = createBoundedMap<string, UndeliveredRequests>(maxAssistantsWithCalls);
  return ({ assistantId }: AssistantAsker): UndeliveredRequests => {
    const undelivered = byAssistant.get(assistantId) ?? {
      calls: createUndeliveredCallStore(clock),
      batches: createUndeliveredCallStore(clock),
    };
    byAssistant.set(assistantId, undelivered);
    return undelivered;
  };
};

const maxOpenedApprovals = 500;

/**
 * Asks the client to open the window, at most once per approval. A client of the newer protocol revision must open the
 * window and repeat the call; a client of the older revision opens it while the call continues.
 */
const createPersonWindowFactory = () => {
  const shown = createBoundedMap<string, true>(maxOpenedApprovals);
  return (
    place: CompanionWindowLink,
    call: ToolCall,
    { era, session }: { era: McpRequestContext['era']; session: string },
  ): PersonWindow | undefined => {
    const opens = era === 'legacy' ? hasSessionMark(session, opensUrlsMark) : call.opensUrls;
    if (place.url === '' || !opens) return undefined;
    return {
      resumedState: call.resumed,
      open: (state) => {
        if (shown.get(state)) return () => undefined;
        if (state !== 'page') shown.set(state, true);
        if (era === 'modern') throw new WindowNeeded(state);
        return call.pushUrl(place);
      },
    };
  };
};

/**
 * Serves `/mcp`: the tools over Streamable HTTP, for both protocol revisions. Between requests, the server keeps only
 * undelivered calls, so that a client can repeat them.
 */
export const createMcpRoute = ({
  api,
  clock,
  version,
  guide,
  personTexts,
  windowUrl,
  caller,
}: McpRouteContext): RequestHandler => {
  const undeliveredOf = createUndeliveredCallsByAssistant(clock);
  const running = createRunningCallTracker();
  const personWindow = createPersonWindowFactory();
  const handler = toNodeHandler(
    createMcpHandler(
      ({ authInfo, era }) => {
        const { by, signal: requestSignal, response, session } = exchange.parse(authInfo?.extra);
        const run: RunTool = async (call) => {
          const { name, args, progress } = call;
          const signal = AbortSignal.any([call.signal, requestSignal]);
          const texts = await personTexts();
          const place = { url: windowUrl() ?? '', message: texts.text('window') };
          const window = personWindow(place, call, { era, session });
          const runAfterAnswer = (then: () => void): void => {
            if (!signal.aborted) response.once('finish', then);
          };
          const context = {
            api,
            by,
            clock,
            undelivered: undeliveredOf(by),
            answered: runAfterAnswer,
            signal,
            progress,
            personWindow: window,
          };
          const answer = await callTool(name, args, context, place);
          return answer && call.showsCards && name === cardTool ? addCardTexts(answer, texts) : answer;
        };
        return createMcpServer({ version, guide, personTexts, run, showsCards: hasSessionMark(session, cardsMark) });
      },
      { maxSubscriptions },
    ),
  );
  return async (request: Request, response: Response): Promise<void> => {
    const by = caller(request);
    if (Array.isArray(request.body))
      throw new Problem('INVALID_REQUEST', 'Send one message at a time; batches are not taken.');
    const disconnect = createDisconnectSignal(request, response);
    const signal = AbortSignal.any([disconnect, running.trackRequest(by, request, response)]);
    const session = parseSessionId(request);
    const auth = {
      token: '',
      clientId: by.assistantId,
      scopes: [],
      extra: { by, signal, response, session } satisfies Exchange,
    };
    await handler(Object.assign(request, { auth }), response, request.body);
  };
};

const id = z.union([z.string(), z.number()]);
const message = z.discriminatedUnion('method', [
  z.looseObject({ method: z.literal('initialize'), params: z.looseObject({ capabilities: z.unknown() }) }),
  z.looseObject({ method: z.literal('tools/call'), id }),
  z.looseObject({ method: z.literal('notifications/cancelled'), params: z.looseObject({ requestId: id }) }),
]);
const sessionHeader = 'mcp-session-id';
/**
 * A client of the older revision sends its capabilities only when it connects, so they are recorded as suffixes of the
 * session id.
 */
const opensUrlsMark = '.url';
const cardsMark = '.ui';
const hasSessionMark = (session: string, mark: string): boolean => `${session}.`.includes(`${mark}.`);
const parseSessionId = ({ headers }: Request): string => z.string().max(100).catch('').parse(headers[sessionHeader]);
const createSessionId = (capabilities: unknown): string =>
  [
    randomUUID(),
    opensUrls.safeParse(capabilities).success ? opensUrlsMark : '',
    hasCardSupport(capabilities) ? cardsMark : '',
  ].join('');
const neverAborted = new AbortController().signal;

/**
 * A client of the older revision cancels a call with a separate message. The session id separates the calls of several
 * clients that share a token, but it grants no rights.
 */
const createRunningCallTracker = () => {
  const running = new Map<string, AbortController>();
  return {
    /**
     * Registers or cancels a call, as the message requires. Returns a signal that aborts when the client cancels the
     * call.
     */
    trackRequest: ({ assistantId }: AssistantAsker, request: Request, response: Response): AbortSignal => {
      const parsed = message.safeParse(request.body);
      if (!parsed.success) return neverAborted;
      if (parsed.data.method === 'initialize')
        response.setHeader(sessionHeader, createSessionId(parsed.data.params.capabilities));
      const session = parseSessionId(request);
      if (session === '' || parsed.data.method === 'initialize') return neverAborted;
      const toCallKey = (call: string | number): string => JSON.stringify([assistantId, session, call]);
      if (parsed.data.method === 'notifications/cancelled') {
        running.get(toCallKey(parsed.data.params.requestId))?.abort(new Error('The client cancelled the call.'));
        return neverAborted;
      }
      const key = toCallKey(parsed.data.id);
      const abort = new AbortController();
      running.set(key, abort);
      response.once('close', () => {
        if (running.get(key) === abort) running.delete(key);
      });
      return abort.signal;
    },
  };
};
