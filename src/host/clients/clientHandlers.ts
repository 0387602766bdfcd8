import { homedir } from 'node:os';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { Handlers } from '../../ipc/calls.ts';
import { openAssistantKeychain } from '../clientTokens.ts';
import { createClientConnections } from './clientConnections.ts';
import { clientSnippets } from './snippets.ts';
import { mcpCommand, mustNameData, type DataPlace, type StartCommand } from './startCommand.ts';

type Parts = {
  companion: Companion;
  bridgeUrl: () => string;
  /** How the command line of this copy is started. */
  start: StartCommand;
  place: DataPlace;
};

/** Serves what the window asks about the clients on this machine. */
export const clientHandlers = ({
  companion,
  bridgeUrl,
  start,
  place,
}: Parts): Pick<Handlers, Extract<keyof Handlers, `clients.${string}`>> => {
  const places = { platform: process.platform, home: homedir(), env: process.env };
  const command = mcpCommand(start, place);
  const connections = createClientConnections({
    ...{ places, command, dataDir: place.dataDir, assistants: companion.assistants },
    // As the command line will open it, by what it is told.
    openSecrets: () => openAssistantKeychain({ ...place, ownData: mustNameData(place) }),
  });
  return {
    'clients.snippets': async () => clientSnippets(bridgeUrl(), command, places),
    'clients.list': connections.list,
    'clients.plan': ({ clientId }) => connections.plan(clientId),
    'clients.connect': ({ clientId, planId }) => connections.connect(clientId, planId),
    'clients.disconnect': ({ clientId }) => connections.disconnect(clientId),
  };
};
