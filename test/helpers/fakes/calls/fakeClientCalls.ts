import type { ClientPlan, ClientState, ClientView } from '../../../../src/ipc/clients.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { refuseCall } from '../fakeRefusal.ts';

const home = '/home/robin';

/** Clients on this machine in different states. */
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

const createPlan = ({ name, file }: ClientView): ClientPlan => ({
  planId: 'plan_1',
  ...{ name, file, isNew: false },
  lines: [
    { kind: 'same', text: '  "theme": "dark",' },
    { kind: 'removed', text: '  "mcpServers": {}' },
    { kind: 'added', text: '  "mcpServers": {' },
    { kind: 'added', text: '    "listing-companion": {' },
    { kind: 'added', text: `      "command": "${home}/Listing Companion/node",` },
    { kind: 'added', text: `      "args": ["mcp", "--identity", "lci_${'x'.repeat(32)}"]` },
    { kind: 'added', text: '    }' },
    { kind: 'added', text: '  }' },
  ],
});

/** Calls about the clients on this machine and their connections. */
export const createClientCalls = (fake: Fake) => {
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
    'clients.bundle': () => ({ name: 'listing-companion-0.1.0.mcpb', base64: btoa('PK bundle') }),
    'clients.list': () => fake.clients,
    'clients.plan': ({ clientId }) => createPlan(find(clientId)),
    'clients.connect': ({ clientId }) => {
      if (fake.settingsChanged) refuseCall('SETTINGS_CHANGED', 'The file was changed since you looked at it.');
      return put(clientId, { state: 'paired', lastUsedAt: null });
    },
    'clients.disconnect': ({ clientId }) => put(clientId, { state: 'none' }),
  } satisfies Partial<Answers>;
};
