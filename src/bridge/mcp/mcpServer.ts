import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { instructions } from './instructions.ts';
import { toolList } from './toolList.ts';

/** Runs the tool of that name for the client of that name; null when there is no such tool. */
export type RunTool = (
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
  client: string,
) => Promise<CallToolResult | null>;

/** An MCP server with the companion's tools. Whoever serves it says how a tool is run. */
export const mcpServer = (version: string, run: RunTool): Server => {
  const server = new Server(
    { name: 'listing-companion', title: 'Listing Companion', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolList }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const result = await run(params.name, params.arguments ?? {}, mcpReq.signal, clientOf(server, mcpReq.envelope));
    if (result === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool of this name.');
    return result;
  });
  return server;
};

const clientInfo = z.looseObject({ [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }) });

/** The name that a client gives itself: once in the older revision, with every request in the newer one. */
const clientOf = (server: Server, envelope: unknown): string => {
  const info = clientInfo.safeParse(envelope);
  return (info.success ? info.data[CLIENT_INFO_META_KEY].name : server.getClientVersion()?.name) ?? 'An MCP client';
};
