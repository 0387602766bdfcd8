import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { refused } from '../../bridge/mcp/callTool.ts';
import { toolProblemOf } from '../../bridge/mcp/toolProblem.ts';
import { Problem } from '../../core/base/problem.ts';
import type { Bridge } from '../bridge.ts';
import { callBridge } from '../callBridge.ts';
import { createClientAccess } from './letIn.ts';

type ToolCall = { tool: string; args: Record<string, unknown>; signal: AbortSignal; clientName: string };

const revision = '2026-07-28';
const result = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(z.looseObject({ type: z.literal('text'), text: z.string() })),
});
const answer = z.union([z.looseObject({ result }), z.looseObject({ error: z.looseObject({ code: z.int() }) })]);

const messageOf = (tool: string, args: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: tool,
    arguments: args,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/**
 * Sends tool calls on to the running companion, as the client that was let in under its identity. Whatever stands in the way
 * (it is not running, the person has not let the client in) is a tool's refusal with the next step.
 */
export const createForwarder = (bridge: Bridge, identity: string | null, note: (line: string) => void) => {
  const access = createClientAccess(bridge, identity, note);

  const send = async ({ tool, args, signal, clientName }: ToolCall): Promise<CallToolResult | null> => {
    const { mcpUrl } = await bridge.find();
    const token = await access.tokenFor(clientName);
    const { body } = await callBridge(new URL(mcpUrl), 'POST', {
      body: messageOf(tool, args),
      authorization: `Bearer ${token}`,
      headers: { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': tool },
      signal,
    });
    const parsed = answer.parse(body);
    if ('error' in parsed) return null;
    const { isError, structuredContent, content } = parsed.result;
    return {
      content: content.map(({ text }) => ({ type: 'text', text })),
      ...(isError === undefined ? {} : { isError }),
      ...(structuredContent === undefined ? {} : { structuredContent }),
    };
  };

  return async (call: ToolCall): Promise<CallToolResult | null> => {
    try {
      return await send(call).catch(async (error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'UNAUTHORIZED') throw error;
        // The person has taken the token back: ask anew.
        await access.forget();
        return send(call);
      });
    } catch (error) {
      return refused({ ...toolProblemOf(error), ...access.codeOf(error) });
    }
  };
};
