import type { ClientId, ClientSnippets } from '../../ipc/clients.ts';
import { createClientIdentity, tokenVariable } from '../clientTokens.ts';
import { getClientById, clientTable, serverName, type UserPlaces } from './clientTable.ts';
import { formatShellLine, chooseUserShell, type Shell, type StartCommand } from './startCommand.ts';
import { createSettingsText } from './settingsFormats.ts';

type SnippetStep = NonNullable<ClientSnippets['command']>[number];

const tokenPlace = 'TOKEN';
const bearer = `Bearer ${tokenPlace}`;

type SnippetConnection = { mcp: string; command: StartCommand; shell: Shell; places: UserPlaces };

const createTerminalStep = (shell: Shell, text: string): SnippetStep => ({
  place: shell === 'powershell' ? 'powershell' : 'terminal',
  text,
});
const createCommandStep = (shell: Shell, ...words: string[]): SnippetStep =>
  createTerminalStep(shell, formatShellLine(shell, words));

const formatSettingsPath = (id: ClientId, places: UserPlaces): string => {
  const path = getClientById(id).file(places);
  return path.startsWith(`${places.home}/`) ? `~${path.slice(places.home.length)}` : path;
};

const createFileStep = (id: ClientId, { places }: SnippetConnection, entry: Record<string, unknown>): SnippetStep => {
  const { format, servers } = getClientById(id);
  return {
    place: { file: formatSettingsPath(id, places) },
    text: createSettingsText(format, servers, serverName, entry),
  };
};

const commandLines: Partial<Record<ClientId, (command: StartCommand) => string[]>> = {
  'claude-code': ({ program, args }) => ['claude', 'mcp', 'add', '--scope', 'user', serverName, '--', program, ...args],
  codex: ({ program, args }) => ['codex', 'mcp', 'add', serverName, '--', program, ...args],
  gemini: ({ program, args }) => ['gemini', 'mcp', 'add', '-s', 'user', serverName, program, '--', ...args],
};

/** Links that add the companion to a client. The client asks the person for confirmation. */
const links: Partial<Record<ClientId, (command: StartCommand) => string>> = {
  cursor: ({ program, args }) => {
    const config = Buffer.from(JSON.stringify({ command: program, args })).toString('base64');
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(config)}`;
  },
  vscode: ({ program, args }) =>
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, command: program, args }))}`,
};

const headers = { Authorization: bearer };
const addressSteps: Record<ClientId, ((connection: SnippetConnection) => SnippetStep[]) | null> = {
  'claude-code': ({ mcp, shell }) => [
    createCommandStep(
      shell,
      ...['claude', 'mcp', 'add', '--scope', 'user', '--transport', 'http', serverName, mcp],
      ...['--header', `Authorization: ${bearer}`],
    ),
  ],
  'claude-desktop': null,
  codex: (connection) => [
    createFileStep('codex', connection, { url: connection.mcp, bearer_token_env_var: tokenVariable }),
    createTerminalStep(
      connection.shell,
      connection.shell === 'powershell'
        ? `$env:${tokenVariable} = "${tokenPlace}"`
        : `export ${tokenVariable}=${tokenPlace}`,
    ),
  ],
  gemini: (connection) => [createFileStep('gemini', connection, { httpUrl: connection.mcp, headers })],
  cursor: (connection) => [createFileStep('cursor', connection, { url: connection.mcp, headers })],
  vscode: ({ mcp, places }) => [
    {
      place: { file: formatSettingsPath('vscode', places) },
      text: JSON.stringify(
        {
          inputs: [{ type: 'promptString', id: 'token', description: tokenPlace, password: true }],
          servers: { [serverName]: { type: 'http', url: mcp, headers: { Authorization: 'Bearer ${input:token}' } } },
        },
        null,
        2,
      ),
    },
  ],
  windsurf: (connection) => [createFileStep('windsurf', connection, { serverUrl: connection.mcp, headers })],
  goose: (connection) => [
    createFileStep('goose', connection, {
      ...{ enabled: true, type: 'streamable_http', name: serverName },
      ...{ uri: connection.mcp, headers, timeout: 300 },
    }),
  ],
};

/** In PowerShell, `curl` is an alias of another command, so the request uses `Invoke-RestMethod`. */
const formatHttpRequest = (shell: Shell, url: string, header: string | null, body: unknown): string => {
  const json = JSON.stringify(body);
  if (shell === 'posix')
    return formatShellLine(shell, [
      ...['curl', '-s', url],
      ...(header === null ? [] : ['-H', `Authorization: ${header}`]),
      ...(body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', json]),
    ]);
  const given = header === null ? '' : ` -Headers @{ Authorization = '${header}' }`;
  return `Invoke-RestMethod ${url}${given}${body === undefined ? '' : ` -Method Post -ContentType 'application/json' -Body '${json}'`}`;
};

const createPlainHttpSnippets = (bridgeUrl: string, shell: Shell): ClientSnippets => {
  const pairings = `${bridgeUrl}/companion/pairings`;
  return {
    name: shell === 'posix' ? 'plain curl' : 'plain PowerShell',
    command: null,
    address: [
      { place: 'ask', text: formatHttpRequest(shell, pairings, null, { name: 'My script' }) },
      {
        place: 'askNext',
        text: formatHttpRequest(shell, `${pairings}/PAIRING_ID`, 'Pairing PAIRING_SECRET', undefined),
      },
      { place: 'use', text: formatHttpRequest(shell, `${bridgeUrl}/companion/me`, bearer, undefined) },
    ],
  };
};

export const addIdentityArgument = ({ program, args }: StartCommand, identity: string): StartCommand => ({
  program,
  args: [...args, '--identity', identity],
});

/** Each snippet contains a new identity. */
export const createClientSnippets = (
  bridgeUrl: string,
  command: StartCommand,
  places: UserPlaces,
): ClientSnippets[] => {
  const shell = chooseUserShell(places.platform);
  const known = clientTable.map(({ id, name, entry }) => {
    const own = addIdentityArgument(command, createClientIdentity());
    const connection = { mcp: `${bridgeUrl}/mcp`, command: own, shell, places };
    const words = commandLines[id]?.(own);
    const link = links[id]?.(own);
    return {
      name,
      command: [
        words === undefined ? createFileStep(id, connection, entry(own)) : createCommandStep(shell, ...words),
        ...(link === undefined ? [] : [{ place: 'link' as const, text: link }]),
      ],
      address: addressSteps[id]?.(connection) ?? null,
    };
  });
  return [...known, createPlainHttpSnippets(bridgeUrl, shell)];
};
