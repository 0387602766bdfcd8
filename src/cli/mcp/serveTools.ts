import { readFileSync } from 'node:fs';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { mcpServer } from '../../bridge/mcp/mcpServer.ts';
import type { Bridge } from '../bridge.ts';
import { forwarder } from './forwarder.ts';

const version = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))).version;

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
        const server = mcpServer(version, (tool, args, signal, client) =>
          forward({ tool, args, signal, as: name ?? client }),
        );
        return server;
      },
      { transport, onerror: (error) => note(error.message) },
    );
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
