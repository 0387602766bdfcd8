import type { Command } from '../command.ts';
import { serveTools } from '../mcp/serveTools.ts';

/** Serves the tools of the running companion over stdio until the client hangs up. */
export const mcp: Command = {
  takes: [],
  flags: { name: { type: 'string' } },
  help: `  --name NAME          What the person sees; the client's own name when left out

For clients that start a process: command "listing-companion", arguments "mcp". The first tool call asks the person to
let the client in and answers the code to compare.`,
  run: async ({ flags, bridge, out }) => {
    await serveTools(bridge, typeof flags['name'] === 'string' ? flags['name'] : null, out.note);
    return 'ok';
  },
};
