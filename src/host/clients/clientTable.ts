import { join } from 'node:path';
import type { ClientId } from '../../ipc/clients.ts';
import { windowsAppData, type Machine } from '../dataFolder.ts';
import type { StartCommand } from './startCommand.ts';

/** The user's own folders, as clients find them. */
export type UserPlaces = Machine;

/** How a settings file is written; `jsonc` may hold comments and commas at the end of a list. */
export type SettingsFormat = 'json' | 'jsonc' | 'toml' | 'yaml';

/** A client that can start the companion's tools as a command. */
export type ClientDefinition = {
  id: ClientId;
  name: string;
  /** Names under which its own command lies on the PATH. */
  commands: readonly string[];
  /** Folders that are there when it is installed or was used. */
  folders: (places: UserPlaces) => readonly string[];
  /** The file with its settings for this user. */
  file: (places: UserPlaces) => string;
  format: SettingsFormat;
  /** The field of the settings that holds its servers. */
  servers: string;
  /** Our entry in it. */
  entry: (command: StartCommand) => Record<string, unknown>;
};

/** The name under which the companion stands in the settings of each client. */
export const serverName = 'listing-companion';

const plainEntry = ({ program, args }: StartCommand) => ({ command: program, args: [...args] });
const typedEntry = (command: StartCommand) => ({ type: 'stdio', ...plainEntry(command) });

const appData = (places: UserPlaces): string => windowsAppData(places).roaming;
const config = ({ home, env }: UserPlaces): string => env['XDG_CONFIG_HOME'] || join(home, '.config');
/** Where desktop apps of each system keep the settings of a user. */
const appSettings = (places: UserPlaces, ...parts: string[]): string => {
  if (places.platform === 'darwin') return join(places.home, 'Library', 'Application Support', ...parts);
  return join(places.platform === 'win32' ? appData(places) : config(places), ...parts);
};
const goose = (places: UserPlaces): string =>
  places.platform === 'win32'
    ? join(appData(places), 'Block', 'goose', 'config')
    : join(places.home, '.config', 'goose');
const codexHome = ({ home, env }: UserPlaces): string => env['CODEX_HOME'] || join(home, '.codex');

/** A client whose settings are one file in the folder that shows that it is there. */
const inFolder = (
  folder: (places: UserPlaces) => string,
  file: string,
): Pick<ClientDefinition, 'folders' | 'file'> => ({
  folders: (places) => [folder(places)],
  file: (places) => join(folder(places), file),
});
const inHome =
  (...parts: string[]) =>
  ({ home }: UserPlaces): string =>
    join(home, ...parts);
const inAppSettings =
  (...parts: string[]) =>
  (places: UserPlaces): string =>
    appSettings(places, ...parts);

/** The clients that are known, each by what its own documentation says of its settings. */
export const clientTable: readonly ClientDefinition[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    commands: ['claude'],
    folders: ({ home, env }) => [env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')],
    file: ({ home, env }) => join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: typedEntry,
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    commands: [],
    ...inFolder(inAppSettings('Claude'), 'claude_desktop_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: plainEntry,
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    commands: ['codex'],
    ...inFolder(codexHome, 'config.toml'),
    format: 'toml',
    servers: 'mcp_servers',
    entry: plainEntry,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    commands: ['gemini'],
    ...inFolder(inHome('.gemini'), 'settings.json'),
    format: 'jsonc',
    servers: 'mcpServers',
    entry: plainEntry,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    commands: ['cursor'],
    ...inFolder(inHome('.cursor'), 'mcp.json'),
    format: 'jsonc',
    servers: 'mcpServers',
    entry: plainEntry,
  },
  {
    id: 'vscode',
    name: 'VS Code',
    commands: ['code'],
    ...inFolder(inAppSettings('Code', 'User'), 'mcp.json'),
    format: 'jsonc',
    servers: 'servers',
    entry: typedEntry,
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    commands: ['windsurf'],
    ...inFolder(inHome('.codeium', 'windsurf'), 'mcp_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: plainEntry,
  },
  {
    id: 'goose',
    name: 'Goose',
    commands: ['goose'],
    ...inFolder(goose, 'config.yaml'),
    format: 'yaml',
    servers: 'extensions',
    entry: ({ program, args }) => ({
      ...{ enabled: true, type: 'stdio', name: serverName },
      ...{ cmd: program, args: [...args], timeout: 300 },
    }),
  },
];

/** A client by its id. */
export const clientOf = (id: ClientId): ClientDefinition => {
  const found = clientTable.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no client ${id}.`);
  return found;
};
