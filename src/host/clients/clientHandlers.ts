import { homedir } from 'node:os';
import type { Handlers } from '../../ipc/calls.ts';
import { clientSnippets } from './snippets.ts';
import { mcpCommand, type DataPlace, type StartCommand } from './startCommand.ts';

type Parts = {
  bridgeUrl: () => string;
  /** How the command line of this copy is started. */
  start: StartCommand;
  place: DataPlace;
};

/** Serves what the window asks about the clients on this machine. */
export const clientHandlers = ({
  bridgeUrl,
  start,
  place,
}: Parts): Pick<Handlers, Extract<keyof Handlers, `clients.${string}`>> => {
  const places = { platform: process.platform, home: homedir(), env: process.env };
  return {
    'clients.snippets': async () => clientSnippets(bridgeUrl(), mcpCommand(start, place), places),
  };
};
