import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import about from '../../../package.json' with { type: 'json' };
import { mcpServer } from '../../bridge/mcp/mcpServer.ts';
import { nameOrElse } from '../../core/assistants/assistantName.ts';
import type { Bridge } from '../bridge.ts';
import { createForwarder } from './forwarder.ts';

/** Who the tools are served to: the identity in its configuration, and the name that the configuration gives it. */
export type ToolClient = { identity: string | null; name: string | null };

/**
 * The tools of the running companion over this process's stdio. They are listed here, as clients start before the
 * companion may; every call goes to the companion itself.
 */
export const serveTools = (
  bridge: Bridge,
  { identity, name }: ToolClient,
  note: (line: string) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const forward = createForwarder(bridge, identity, note);
    const transport = new StdioServerTransport();
    serveStdio(
      () => {
        const server = mcpServer(about.version, (tool, args, signal, client) =>
          forward({ tool, args, signal, clientName: name ?? nameOrElse(client, 'An MCP client') }),
        );
        return server;
      },
      { transport, onerror: (error) => note(error.message) },
    );
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
