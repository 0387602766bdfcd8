import { randomUUID } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import type { Assistant } from '../../core/assistants/assistantWork.ts';
import type { Clock } from '../../core/base/ports.ts';
import { Problem } from '../../core/base/problem.ts';
import { closeSignal } from '../guard.ts';
import { callTool } from './callTool.ts';
import { createBegunCalls } from './serviceCalls.ts';
import type { ToolApi } from './tool.ts';
import { mcpServer } from './mcpServer.ts';

/** `caller` authenticates a request; it throws for one without a valid token. */
export type McpRouteContext = {
  api: ToolApi;
  clock: Clock;
  version: string;
  caller: (request: Request) => Assistant;
};

/** Nothing here changes by itself: a stream of changes is open for the sake of the protocol only. */
const maxSubscriptions = 16;
const exchange = z.object({
  by: z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
  signal: z.instanceof(AbortSignal),
});

/**
 * `/mcp`: the tools over Streamable HTTP, for both revisions of the protocol. Every request shows its token anew;
 * what is kept between two requests is only what a client that gave up may ask for again.
 */
export const mcpRoute = ({ api, clock, version, caller }: McpRouteContext): RequestHandler => {
  const begun = createBegunCalls(clock);
  const running = createRunningCalls();
  const handler = toNodeHandler(
    createMcpHandler(
      ({ authInfo }) => {
        const { by, signal: over } = exchange.parse(authInfo?.extra);
        return mcpServer(version, ({ name, args, signal: given, progress }) => {
          const signal = AbortSignal.any([given, over]);
          return callTool(name, args, { api, by, clock, begun, signal, progress });
        });
      },
      { maxSubscriptions },
    ),
  );
  return async (request: Request, response: Response): Promise<void> => {
    const by = caller(request);
    if (Array.isArray(request.body))
      throw new Problem('INVALID_REQUEST', 'Send one message at a time; batches are not taken.');
    const signal = AbortSignal.any([closeSignal(request, response), running.follow(by, request, response)]);
    const auth = { token: '', clientId: by.assistantId, scopes: [], extra: { by, signal } };
    await handler(Object.assign(request, { auth }), response, request.body);
  };
};

const id = z.union([z.string(), z.number()]);
const message = z.discriminatedUnion('method', [
  z.looseObject({ method: z.literal('initialize') }),
  z.looseObject({ method: z.literal('tools/call'), id }),
  z.looseObject({ method: z.literal('notifications/cancelled'), params: z.looseObject({ requestId: id }) }),
]);
const sessionHeader = 'mcp-session-id';
const never = new AbortController().signal;

/**
 * In the older revision a client cancels by a message of its own. The session that it is given when it connects tells
 * its calls from those of others with the same token; nothing else hangs on it.
 */
const createRunningCalls = () => {
  const running = new Map<string, AbortController>();
  return {
    /** Notes what this request is to the calls that run. Its signal is aborted when the client cancels it. */
    follow: ({ assistantId }: Assistant, request: Request, response: Response): AbortSignal => {
      const parsed = message.safeParse(request.body);
      if (!parsed.success) return never;
      if (parsed.data.method === 'initialize') response.setHeader(sessionHeader, randomUUID());
      const session = request.headers[sessionHeader];
      if (session === undefined || parsed.data.method === 'initialize') return never;
      const keyOf = (call: string | number): string => JSON.stringify([assistantId, session, call]);
      if (parsed.data.method === 'notifications/cancelled') {
        running.get(keyOf(parsed.data.params.requestId))?.abort(new Error('The client cancelled the call.'));
        return never;
      }
      const key = keyOf(parsed.data.id);
      const abort = new AbortController();
      running.set(key, abort);
      response.once('close', () => {
        if (running.get(key) === abort) running.delete(key);
      });
      return abort.signal;
    },
  };
};
