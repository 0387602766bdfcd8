/** Where a text belongs: into a file, into a terminal, or as one of the three steps of plain curl. */
type Place = { file: string } | 'terminal' | 'ask' | 'askNext' | 'use';
export type Step = { place: Place; text: string };

/** An assistant that can be connected by a command that it starts, by the address with a token, or by both. */
export type Client = { name: string; command: Step[] | null; address: Step[] | null };

const own = 'listing-companion';
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const terminal = (text: string): Step => ({ place: 'terminal', text });
const file = (name: string, text: string): Step => ({ place: { file: name }, text });

/** What stands where a token belongs. */
export const tokenPlace = 'TOKEN';
const bearer = `Bearer ${tokenPlace}`;
const gooseConfig = (lines: readonly string[]): string =>
  ['extensions:', `  ${own}:`, '    enabled: true', `    name: ${own}`, ...lines.map((line) => `    ${line}`)].join(
    '\n',
  );

/** 192 random bits: which pairing is a client's, in its own configuration. */
export const newIdentity = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `lci_${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')}`;
};

/** What the snippets are made of: the bridge's addresses, and how its MCP command is started. */
type Connection = { bridgeUrl: string; mcp: string; identity: string; args: string[]; line: string };

const commandOf = ({ args }: Connection) => ({ command: own, args });

const claudeCode = ({ mcp, line }: Connection): Client => ({
  name: 'Claude Code',
  command: [terminal(`claude mcp add ${own} -- ${line}`)],
  address: [terminal(`claude mcp add --transport http ${own} ${mcp} --header "Authorization: ${bearer}"`)],
});

const claudeDesktop = (connection: Connection): Client => ({
  name: 'Claude Desktop',
  command: [file('claude_desktop_config.json', json({ mcpServers: { [own]: commandOf(connection) } }))],
  address: null,
});

const codex = ({ mcp, line }: Connection): Client => ({
  name: 'Codex CLI',
  command: [terminal(`codex mcp add ${own} -- ${line}`)],
  address: [
    file(
      '~/.codex/config.toml',
      `[mcp_servers.${own}]\nurl = "${mcp}"\nbearer_token_env_var = "LISTING_COMPANION_TOKEN"`,
    ),
    terminal(`export LISTING_COMPANION_TOKEN=${tokenPlace}`),
  ],
});

const gemini = ({ mcp, identity }: Connection): Client => ({
  name: 'Gemini CLI',
  command: [terminal(`gemini mcp add -s user ${own} ${own} mcp -- --identity ${identity}`)],
  address: [
    file(
      '~/.gemini/settings.json',
      json({ mcpServers: { [own]: { httpUrl: mcp, headers: { Authorization: bearer } } } }),
    ),
  ],
});

const cursor = (connection: Connection): Client => ({
  name: 'Cursor',
  command: [file('~/.cursor/mcp.json', json({ mcpServers: { [own]: commandOf(connection) } }))],
  address: [
    file(
      '~/.cursor/mcp.json',
      json({ mcpServers: { [own]: { url: connection.mcp, headers: { Authorization: bearer } } } }),
    ),
  ],
});

const vsCode = (connection: Connection): Client => ({
  name: 'VS Code',
  command: [file('.vscode/mcp.json', json({ servers: { [own]: { type: 'stdio', ...commandOf(connection) } } }))],
  address: [
    file(
      '.vscode/mcp.json',
      json({
        inputs: [{ type: 'promptString', id: 'token', description: tokenPlace, password: true }],
        servers: { [own]: { type: 'http', url: connection.mcp, headers: { Authorization: 'Bearer ${input:token}' } } },
      }),
    ),
  ],
});

const goose = ({ mcp, args }: Connection): Client => ({
  name: 'Goose',
  command: [
    file(
      '~/.config/goose/config.yaml',
      gooseConfig(['type: stdio', `cmd: ${own}`, `args: [${args.join(', ')}]`, 'timeout: 300']),
    ),
  ],
  address: [
    file(
      '~/.config/goose/config.yaml',
      gooseConfig(['type: streamable_http', `uri: ${mcp}`, 'headers:', `  Authorization: ${bearer}`, 'timeout: 300']),
    ),
  ],
});

const plainCurl = ({ bridgeUrl }: Connection): Client => ({
  name: 'plain curl',
  command: null,
  address: [
    {
      place: 'ask',
      text: `curl -s ${bridgeUrl}/companion/pairings -H 'Content-Type: application/json' -d '{"name":"My script"}'`,
    },
    {
      place: 'askNext',
      text: `curl -s ${bridgeUrl}/companion/pairings/PAIRING_ID -H 'Authorization: Pairing PAIRING_SECRET'`,
    },
    { place: 'use', text: `curl -s ${bridgeUrl}/companion/me -H 'Authorization: ${bearer}'` },
  ],
});

const clients = [claudeCode, claudeDesktop, codex, gemini, cursor, vsCode, goose, plainCurl];

/** What the usual assistants need to work through the bridge, each in its own form. `identity` is made by `newIdentity`. */
export const clientsFor = (bridgeUrl: string, identity: string): readonly Client[] => {
  const args = ['mcp', '--identity', identity];
  const connection = { bridgeUrl, mcp: `${bridgeUrl}/mcp`, identity, args, line: [own, ...args].join(' ') };
  return clients.map((client) => client(connection));
};
