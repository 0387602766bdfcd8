import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import type { Assistant } from '../../core/assistants/assistantWork.ts';
import { Problem } from '../../core/base/problem.ts';
import { callTool } from './callTool.ts';
import type { ToolApi } from './tool.ts';
import { mcpServer } from './mcpServer.ts';

/** `caller` authenticates a request; it throws for one without a valid token. */
export type McpRouteContext = { api: ToolApi; version: string; caller: (request: Request) => Assistant };

/** Nothing here changes by itself: a stream of changes is open for the sake of the protocol only. */
const maxSubscriptions = 16;
const assistant = z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() });

/**
 * `/mcp`: the tools over Streamable HTTP, for both revisions of the protocol. Every request shows its token anew;
 * nothing is kept between two requests.
 */
export const mcpRoute = ({ api, version, caller }: McpRouteContext): RequestHandler => {
  const handler = toNodeHandler(
    createMcpHandler(
      ({ authInfo }) => {
        const by = assistant.parse(authInfo?.extra);
        return mcpServer(version, (name, args, signal) => callTool(name, args, { api, by, signal }));
      },
      { maxSubscriptions },
    ),
  );
  return async (request: Request, response: Response): Promise<void> => {
    const by = caller(request);
    if (Array.isArray(request.body))
      throw new Problem('INVALID_REQUEST', 'Send one message at a time; batches are not taken.');
    const auth = { token: '', clientId: by.assistantId, scopes: [], extra: by };
    await handler(Object.assign(request, { auth }), response, request.body);
  };
};
