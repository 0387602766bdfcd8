import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import about from '../../../package.json' with { type: 'json' };
import { mcpServer } from '../../bridge/mcp/mcpServer.ts';
import type { Bridge } from '../bridge.ts';
import { forwarder } from './forwarder.ts';

/**
 * The tools of the running companion over this process's stdio. They are listed here, as clients start before the
 * companion may; every call goes to the companion itself.
 */
export const serveTools = (bridge: Bridge, name: string | null, note: (line: string) => void): Promise<void> =>
  new Promise((resolve) => {
    const forward = forwarder(bridge, note);
    const transport = new StdioServerTransport();
    serveStdio(
      () => {
        const server = mcpServer(about.version, (tool, args, signal, client) =>
          forward({ tool, args, signal, as: name ?? client }),
        );
        return server;
      },
      { transport, onerror: (error) => note(error.message) },
    );
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
