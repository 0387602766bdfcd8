import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { problem } from '../../core/base/problem.ts';
import type { ClientBundle } from '../../ipc/clients.ts';
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
  /** Where the bundle for desktop clients lies, and the version in it. */
  bundle: { file: string; version: string };
};

const readBundle = async ({ file, version }: Parts['bundle']): Promise<ClientBundle> => {
  try {
    return { name: `listing-companion-${version}.mcpb`, base64: await readFile(file, 'base64') };
  } catch (error) {
    throw problem('BUNDLE_MISSING', { cause: error });
  }
};

/** Serves what the window asks about the clients on this machine. */
export const clientHandlers = ({
  companion,
  bridgeUrl,
  start,
  place,
  bundle,
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
    'clients.bundle': () => readBundle(bundle),
    'clients.list': connections.list,
    'clients.plan': ({ clientId }) => connections.plan(clientId),
    'clients.connect': ({ clientId, planId }) => connections.connect(clientId, planId),
    'clients.disconnect': ({ clientId }) => connections.disconnect(clientId),
  };
};
