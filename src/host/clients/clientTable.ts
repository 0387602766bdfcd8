import { join } from 'node:path';
import type { ClientId } from '../../ipc/clients.ts';
import { getWindowsAppData, type Machine } from '../data/dataFolder.ts';
import type { StartCommand } from './startCommand.ts';

export type UserPlaces = Machine;

export type SettingsFormat = 'json' | 'jsonc' | 'toml' | 'yaml';

export type ClientDefinition = {
  id: ClientId;
  name: string;
  commands: readonly string[];
  folders: (places: UserPlaces) => readonly string[];
  file: (places: UserPlaces) => string;
  format: SettingsFormat;
  servers: string;
  entry: (command: StartCommand) => Record<string, unknown>;
};

export const serverName = 'listing-companion';

const toPlainEntry = ({ program, args }: StartCommand) => ({ command: program, args: [...args] });
const toTypedEntry = (command: StartCommand) => ({ type: 'stdio', ...toPlainEntry(command) });

const getRoamingAppData = (places: UserPlaces): string => getWindowsAppData(places).roaming;
const getConfigFolder = ({ home, env }: UserPlaces): string => env['XDG_CONFIG_HOME'] || join(home, '.config');
const getAppSettingsPath = (places: UserPlaces, ...parts: string[]): string => {
  if (places.platform === 'darwin') return join(places.home, 'Library', 'Application Support', ...parts);
  return join(places.platform === 'win32' ? getRoamingAppData(places) : getConfigFolder(places), ...parts);
};
const getGooseFolder = (places: UserPlaces): string =>
  places.platform === 'win32'
    ? join(getRoamingAppData(places), 'Block', 'goose', 'config')
    : join(places.home, '.config', 'goose');
const getCodexHome = ({ home, env }: UserPlaces): string => env['CODEX_HOME'] || join(home, '.codex');

const definePathsInFolder = (
  folder: (places: UserPlaces) => string,
  file: string,
): Pick<ClientDefinition, 'folders' | 'file'> => ({
  folders: (places) => [folder(places)],
  file: (places) => join(folder(places), file),
});
const createHomePathGetter =
  (...parts: string[]) =>
  ({ home }: UserPlaces): string =>
    join(home, ...parts);
const createAppSettingsPathGetter =
  (...parts: string[]) =>
  (places: UserPlaces): string =>
    getAppSettingsPath(places, ...parts);

/** The paths and formats follow the documentation of each client. */
export const clientTable: readonly ClientDefinition[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    commands: ['claude'],
    folders: ({ home, env }) => [env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')],
    file: ({ home, env }) => join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: toTypedEntry,
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    commands: [],
    ...definePathsInFolder(createAppSettingsPathGetter('Claude'), 'claude_desktop_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: toPlainEntry,
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    commands: ['codex'],
    ...definePathsInFolder(getCodexHome, 'config.toml'),
    format: 'toml',
    servers: 'mcp_servers',
    entry: toPlainEntry,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    commands: ['gemini'],
    ...definePathsInFolder(createHomePathGetter('.gemini'), 'settings.json'),
    format: 'jsonc',
    servers: 'mcpServers',
    entry: toPlainEntry,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    commands: ['cursor'],
    ...definePathsInFolder(createHomePathGetter('.cursor'), 'mcp.json'),
    format: 'jsonc',
    servers: 'mcpServers',
    entry: toPlainEntry,
  },
  {
    id: 'vscode',
    name: 'VS Code',
    commands: ['code'],
    ...definePathsInFolder(createAppSettingsPathGetter('Code', 'User'), 'mcp.json'),
    format: 'jsonc',
    servers: 'servers',
    entry: toTypedEntry,
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    commands: ['windsurf'],
    ...definePathsInFolder(createHomePathGetter('.codeium', 'windsurf'), 'mcp_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: toPlainEntry,
  },
  {
    id: 'goose',
    name: 'Goose',
    commands: ['goose'],
    ...definePathsInFolder(getGooseFolder, 'config.yaml'),
    format: 'yaml',
    servers: 'extensions',
    entry: ({ program, args }) => ({
      ...{ enabled: true, type: 'stdio', name: serverName },
      ...{ cmd: program, args: [...args], timeout: 300 },
    }),
  },
];

export const getClientById = (id: ClientId): ClientDefinition => {
  const found = clientTable.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no client ${id}.`);
  return found;
};
