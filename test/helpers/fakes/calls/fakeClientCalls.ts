import type { ClientPlan, ClientState, ClientSnippets, ClientView } from '../../../../src/ipc/clients.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { refuse } from '../fakeRefusal.ts';

const program = '/home/robin/Listing Companion/node';
const mcp = 'http://127.0.0.1:47800/mcp';

let made = 0;
const newIdentity = (): string => `lci_${String((made += 1)).padStart(32, 'x')}`;
const entry = () => ({
  mcpServers: { 'listing-companion': { command: program, args: ['mcp', '--identity', newIdentity()] } },
});
const terminal = (text: string) => [{ place: 'terminal' as const, text }];
const file = (name: string, value: unknown) => [{ place: { file: name }, text: JSON.stringify(value, null, 2) }];

const inFile = (name: string, path: string): ClientSnippets => ({
  name,
  command: file(path, entry()),
  address: file(path, { mcpServers: { 'listing-companion': { url: mcp } } }),
});

const snippets = (): ClientSnippets[] => [
  {
    name: 'Claude Code',
    command: terminal(`claude mcp add listing-companion -- '${program}' mcp --identity ${newIdentity()}`),
    address: terminal(`claude mcp add --transport http listing-companion ${mcp}`),
  },
  { ...inFile('Claude Desktop', '~/.config/Claude/claude_desktop_config.json'), address: null },
  inFile('Codex CLI', '~/.codex/config.toml'),
  inFile('Gemini CLI', '~/.gemini/settings.json'),
  inFile('Cursor', '~/.cursor/mcp.json'),
  inFile('VS Code', '~/.config/Code/User/mcp.json'),
  inFile('Windsurf', '~/.codeium/windsurf/mcp_config.json'),
  inFile('Goose', '~/.config/goose/config.yaml'),
  {
    name: 'plain curl',
    command: null,
    address: [{ place: 'ask', text: 'curl -s http://127.0.0.1:47800/companion/pairings' }],
  },
];

const home = '/home/robin';

/** Clients of this machine, each as it may stand. */
export const fakeClients = (): ClientView[] => [
  { id: 'claude-code', name: 'Claude Code', file: `${home}/.claude.json`, state: 'none' },
  {
    id: 'codex',
    name: 'Codex CLI',
    file: `${home}/.codex/config.toml`,
    state: 'paired',
    lastUsedAt: Date.now() - 3_000,
  },
  { id: 'cursor', name: 'Cursor', file: `${home}/.cursor/mcp.json`, state: 'moved' },
  {
    id: 'windsurf',
    name: 'Windsurf',
    file: `${home}/.codeium/windsurf/mcp_config.json`,
    state: 'blocked',
    problem: {
      code: 'SETTINGS_NOT_UNDERSTOOD',
      sentence: 'There is a mistake in this assistant’s settings, so nothing was written.',
    },
  },
];

const planOf = ({ name, file }: ClientView): ClientPlan => ({
  planId: 'plan_1',
  ...{ name, file, isNew: false },
  lines: [
    { kind: 'same', text: '  "theme": "dark",' },
    { kind: 'removed', text: '  "mcpServers": {}' },
    { kind: 'added', text: '  "mcpServers": {' },
    { kind: 'added', text: '    "listing-companion": {' },
    { kind: 'added', text: `      "command": "${program}",` },
    { kind: 'added', text: `      "args": ["mcp", "--identity", "${newIdentity()}"]` },
    { kind: 'added', text: '    }' },
    { kind: 'added', text: '  }' },
  ],
});

/** The clients of this machine, connecting them, and the texts for each. */
export const clientCalls = (fake: Fake): Pick<Answers, Extract<keyof Answers, `clients.${string}`>> => {
  const find = (id: ClientView['id']): ClientView => {
    const found = fake.clients.find((one) => one.id === id);
    if (found === undefined) throw new Error('There is no such client.');
    return found;
  };
  const put = (id: ClientView['id'], state: ClientState): ClientView[] => {
    const { name, file } = find(id);
    return (fake.clients = fake.clients.map((one) => (one.id === id ? { id, name, file, ...state } : one)));
  };
  return {
    'clients.snippets': snippets,
    'clients.bundle': () => ({ name: 'listing-companion-0.1.0.mcpb', base64: btoa('PK bundle') }),
    'clients.list': () => fake.clients,
    'clients.plan': ({ clientId }) => planOf(find(clientId)),
    'clients.connect': ({ clientId }) => {
      if (fake.settingsChanged) refuse('SETTINGS_CHANGED', 'The file was changed since you looked at it.');
      return put(clientId, { state: 'paired', lastUsedAt: null });
    },
    'clients.disconnect': ({ clientId }) => put(clientId, { state: 'none' }),
  };
};
