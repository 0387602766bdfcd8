import type { ClientId, ClientSnippets } from '../../ipc/clients.ts';
import { newIdentity, tokenVariable } from '../clientTokens.ts';
import { clientOf, clientTable, serverName, type UserPlaces } from './clientTable.ts';
import { shellLine, shellOf, type Shell, type StartCommand } from './startCommand.ts';
import { settingsWith } from './settingsFormats.ts';

type Step = NonNullable<ClientSnippets['command']>[number];

/** The placeholder for a token. */
const tokenPlace = 'TOKEN';
const bearer = `Bearer ${tokenPlace}`;

/** The data of the snippets: the bridge's MCP address, and the command with the client's own identity. */
type Connection = { mcp: string; command: StartCommand; shell: Shell; places: UserPlaces };

const terminal = (shell: Shell, text: string): Step => ({
  place: shell === 'powershell' ? 'powershell' : 'terminal',
  text,
});
const line = (shell: Shell, ...words: string[]): Step => terminal(shell, shellLine(shell, words));

/** Returns the settings path of a client, with `~` for the home folder. */
const fileOf = (id: ClientId, places: UserPlaces): string => {
  const path = clientOf(id).file(places);
  return path.startsWith(`${places.home}/`) ? `~${path.slice(places.home.length)}` : path;
};

/** Creates the step that adds an entry to the client's settings file. */
const intoFile = (id: ClientId, { places }: Connection, entry: Record<string, unknown>): Step => {
  const { format, servers } = clientOf(id);
  return { place: { file: fileOf(id, places) }, text: settingsWith(format, servers, serverName, entry) };
};

/** The commands of clients that can add an MCP server by command. */
const commandLines: Partial<Record<ClientId, (command: StartCommand) => string[]>> = {
  'claude-code': ({ program, args }) => ['claude', 'mcp', 'add', '--scope', 'user', serverName, '--', program, ...args],
  codex: ({ program, args }) => ['codex', 'mcp', 'add', serverName, '--', program, ...args],
  gemini: ({ program, args }) => ['gemini', 'mcp', 'add', '-s', 'user', serverName, program, '--', ...args],
};

/** Install links of clients that support them; the client asks the person for confirmation. */
const links: Partial<Record<ClientId, (command: StartCommand) => string>> = {
  cursor: ({ program, args }) => {
    const config = Buffer.from(JSON.stringify({ command: program, args })).toString('base64');
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(config)}`;
  },
  vscode: ({ program, args }) =>
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, command: program, args }))}`,
};

const headers = { Authorization: bearer };
/** The steps to connect by URL; null for a client that does not support a token for a URL. */
const byAddress: Record<ClientId, ((connection: Connection) => Step[]) | null> = {
  'claude-code': ({ mcp, shell }) => [
    line(
      shell,
      ...['claude', 'mcp', 'add', '--scope', 'user', '--transport', 'http', serverName, mcp],
      ...['--header', `Authorization: ${bearer}`],
    ),
  ],
  'claude-desktop': null,
  codex: (connection) => [
    intoFile('codex', connection, { url: connection.mcp, bearer_token_env_var: tokenVariable }),
    terminal(
      connection.shell,
      connection.shell === 'powershell'
        ? `$env:${tokenVariable} = "${tokenPlace}"`
        : `export ${tokenVariable}=${tokenPlace}`,
    ),
  ],
  gemini: (connection) => [intoFile('gemini', connection, { httpUrl: connection.mcp, headers })],
  cursor: (connection) => [intoFile('cursor', connection, { url: connection.mcp, headers })],
  vscode: ({ mcp, places }) => [
    {
      place: { file: fileOf('vscode', places) },
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
  windsurf: (connection) => [intoFile('windsurf', connection, { serverUrl: connection.mcp, headers })],
  goose: (connection) => [
    intoFile('goose', connection, {
      ...{ enabled: true, type: 'streamable_http', name: serverName },
      ...{ uri: connection.mcp, headers, timeout: 300 },
    }),
  ],
};

/**
 * Formats a request for the terminal: with curl, or with PowerShell's own command, because `curl` is an alias there.
 */
const request = (shell: Shell, url: string, header: string | null, body: unknown): string => {
  const json = JSON.stringify(body);
  if (shell === 'posix')
    return shellLine(shell, [
      ...['curl', '-s', url],
      ...(header === null ? [] : ['-H', `Authorization: ${header}`]),
      ...(body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', json]),
    ]);
  const given = header === null ? '' : ` -Headers @{ Authorization = '${header}' }`;
  return `Invoke-RestMethod ${url}${given}${body === undefined ? '' : ` -Method Post -ContentType 'application/json' -Body '${json}'`}`;
};

const plainCurl = (bridgeUrl: string, shell: Shell): ClientSnippets => {
  const pairings = `${bridgeUrl}/companion/pairings`;
  return {
    name: shell === 'posix' ? 'plain curl' : 'plain PowerShell',
    command: null,
    address: [
      { place: 'ask', text: request(shell, pairings, null, { name: 'My script' }) },
      { place: 'askNext', text: request(shell, `${pairings}/PAIRING_ID`, 'Pairing PAIRING_SECRET', undefined) },
      { place: 'use', text: request(shell, `${bridgeUrl}/companion/me`, bearer, undefined) },
    ],
  };
};

/** Adds the identity of a client's pairing to a command. */
export const withIdentity = ({ program, args }: StartCommand, identity: string): StartCommand => ({
  program,
  args: [...args, '--identity', identity],
});

/**
 * Creates the snippets for every supported client, for the shell of this system. Paths are absolute, so they work in
 * any folder. Each snippet contains a new identity.
 */
export const clientSnippets = (bridgeUrl: string, command: StartCommand, places: UserPlaces): ClientSnippets[] => {
  const shell = shellOf(places.platform);
  const known = clientTable.map(({ id, name, entry }) => {
    const own = withIdentity(command, newIdentity());
    const connection = { mcp: `${bridgeUrl}/mcp`, command: own, shell, places };
    const words = commandLines[id]?.(own);
    const link = links[id]?.(own);
    return {
      name,
      command: [
        words === undefined ? intoFile(id, connection, entry(own)) : line(shell, ...words),
        ...(link === undefined ? [] : [{ place: 'link' as const, text: link }]),
      ],
      address: byAddress[id]?.(connection) ?? null,
    };
  });
  return [...known, plainCurl(bridgeUrl, shell)];
};
