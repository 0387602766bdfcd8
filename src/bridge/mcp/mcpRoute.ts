import { randomUUID } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import type { Assistant } from '../../core/assistants/assistantWork.ts';
import { Problem } from '../../core/base/problem.ts';
import { callTool } from './callTool.ts';
import type { ToolApi } from './tool.ts';
import { mcpServer } from './mcpServer.ts';
import { showsCards } from './resources.ts';

/** `caller` authenticates a request; it throws for one without a valid token. */
export type McpRouteContext = {
  api: ToolApi;
  version: string;
  /** The companion's guide, as Markdown. */
  guide: () => Promise<string>;
  caller: (request: Request) => Assistant;
};

/** Nothing here changes by itself: a stream of changes is open for the sake of the protocol only. */
const maxSubscriptions = 16;
const exchange = z.object({
  by: z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
  session: z.string(),
});

/**
 * `/mcp`: the tools over Streamable HTTP, for both revisions of the protocol. Every request shows its token anew;
 * nothing is kept between two requests.
 */
export const mcpRoute = ({ api, version, guide, caller }: McpRouteContext): RequestHandler => {
  const handler = toNodeHandler(
    createMcpHandler(
      ({ authInfo }) => {
        const { by, session } = exchange.parse(authInfo?.extra);
        return mcpServer({
          ...{ version, guide, showsCards: session.endsWith(cardsMark) },
          run: (name, args, signal) => callTool(name, args, { api, by, signal }),
        });
      },
      { maxSubscriptions },
    ),
  );
  return async (request: Request, response: Response): Promise<void> => {
    const by = caller(request);
    if (Array.isArray(request.body))
      throw new Problem('INVALID_REQUEST', 'Send one message at a time; batches are not taken.');
    // In the older revision a client says what it shows when it connects, and never again: its session remembers that.
    if (connecting.safeParse(request.body).success) response.setHeader(sessionHeader, `${randomUUID()}${cardsMark}`);
    const session = z.string().max(100).catch('').parse(request.headers[sessionHeader]);
    const auth = { token: '', clientId: by.assistantId, scopes: [], extra: { by, session } };
    await handler(Object.assign(request, { auth }), response, request.body);
  };
};

const sessionHeader = 'mcp-session-id';
/** How the session of a client ends that shows cards. No right hangs on it. */
const cardsMark = '.ui';
const connecting = z.looseObject({
  method: z.literal('initialize'),
  params: z.looseObject({ capabilities: z.unknown().refine(showsCards) }),
});
