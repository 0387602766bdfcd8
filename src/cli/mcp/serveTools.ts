import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import about from '../../../package.json' with { type: 'json' };
import { createMcpServer } from '../../bridge/mcp/mcpServer.ts';
import { englishTexts } from '../../core/companion/personTexts.ts';
import { sanitizeAssistantName } from '../../core/assistants/assistantName.ts';
import type { BridgeClient } from '../bridgeClient.ts';
import { createCallForwarder } from './forwarder.ts';
import type { Command } from '../command.ts';
import { createClientIdentity, isClientIdentity } from '../../host/clientTokens.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { Problem } from '../../core/base/problem.ts';

export const identityVariable = 'LISTING_COMPANION_IDENTITY';

/** Returns null if the client has no identity. Throws `MISUSE` if the identity has the wrong format. */
export const getClientIdentity = (flag: string | undefined, env: NodeJS.ProcessEnv): string | null => {
  const given = flag ?? env[identityVariable];
  if (given === undefined || given === '') return null;
  if (!isClientIdentity(given))
    throw new Problem(
      'MISUSE',
      'This is no identity. Take the one that Listing Companion, Assistants, shows for this client, or make one with "listing-companion mcp --new-identity".',
    );
  return given;
};

/** The first start creates the identity. Returns null if the file cannot be read. */
export const readInstalledIdentity = (file: string): string | null => {
  try {
    writeFileSync(file, createClientIdentity(), { flag: 'wx', mode: 0o600, flush: true });
  } catch {
    // An earlier start might have created the file. If the file does not exist, the read below fails.
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    return isClientIdentity(text) ? text : null;
  } catch {
    return null;
  }
};

type ToolClient = { identity: string | null; name: string | null };

/** Serves until stdin ends. The list of tools is created here because a client might start before the companion. */
export const serveTools = (
  bridge: BridgeClient,
  { identity, name }: ToolClient,
  note: (line: string) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const { forward, guide, greet } = createCallForwarder(bridge, identity, note);
    void greet();
    const transport = new StdioServerTransport();
    serveStdio(
      () => {
        return createMcpServer({
          version: about.version,
          guide,
          personTexts: async () => englishTexts,
          run: (call) => forward({ ...call, client: name ?? sanitizeAssistantName(call.client, 'An MCP client') }),
        });
      },
      { transport, onerror: (error) => note(error.message) },
    );
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });

const getTextFlag = (flag: string | boolean | undefined): string | undefined =>
  typeof flag === 'string' ? flag : undefined;

export const mcpCommand: Command = {
  takes: [],
  flags: { name: { type: 'string' }, identity: { type: 'string' }, 'new-identity': { type: 'boolean' } },
  help: `  --identity ID        Which pairing is this client's, also as LISTING_COMPANION_IDENTITY
  --new-identity       Print a fresh identity and do nothing else
  --name NAME          What the person sees; the client's own name when left out

For clients that start a process: command "listing-companion", arguments "mcp --identity ID". Listing Companion,
Assistants, shows the whole entry for each client, with an identity of its own in it. The first tool call asks the
person to let the client in and answers the code to compare. Without an identity it is asked about at every start.`,
  run: async ({ flags, bridge, out, env }) => {
    if (flags['new-identity'] === true) {
      const identity = createClientIdentity();
      out.result([identity], { identity });
      return 'ok';
    }
    const identity = getClientIdentity(getTextFlag(flags['identity']), env);
    await serveTools(bridge, { identity, name: getTextFlag(flags['name']) ?? null }, out.note);
    return 'ok';
  },
};
