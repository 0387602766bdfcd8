import type { ClientSnippets } from '../../../../src/ipc/clients.ts';
import type { Answers } from '../fakeCompanion.ts';

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

/** The clients of this machine, and the texts for each. */
export const clientCalls = (): Pick<Answers, Extract<keyof Answers, `clients.${string}`>> => ({
  'clients.snippets': snippets,
});
