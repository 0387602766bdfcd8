import type { Command } from '../command.ts';
import { identityOf, newIdentity } from '../identity.ts';
import { serveTools } from '../mcp/serveTools.ts';

const textOf = (flag: string | boolean | undefined): string | undefined =>
  typeof flag === 'string' ? flag : undefined;

/** Serves the tools of the running companion over stdio until the client hangs up. */
export const mcp: Command = {
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
      const identity = newIdentity();
      out.result([identity], { identity });
      return 'ok';
    }
    const identity = identityOf(textOf(flags['identity']), env);
    await serveTools(bridge, { identity, name: textOf(flags['name']) ?? null }, out.note);
    return 'ok';
  },
};
