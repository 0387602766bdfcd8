import { Button, CopyButton, NativeSelect, SegmentedControl } from '@mantine/core';
import { t } from '../../i18n.ts';
import styles from './assistants.module.css';
import { useState } from 'react';
import { CopyLine } from '../../components/CopyLine.tsx';

/** Where a text belongs: into a file, into a terminal, or as one of the three steps of plain curl. */
type Place = { file: string } | 'terminal' | 'ask' | 'askNext' | 'use';
type Step = { place: Place; text: string };

/** An assistant that can be connected by a command that it starts, by the address with a token, or by both. */
type Client = { name: string; command: Step[] | null; address: Step[] | null };

const own = 'listing-companion';
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const terminal = (text: string): Step => ({ place: 'terminal', text });
const file = (name: string, text: string): Step => ({ place: { file: name }, text });

/** What stands where a token belongs. */
const tokenPlace = 'TOKEN';
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
const clientsFor = (bridgeUrl: string, identity: string): readonly Client[] => {
  const args = ['mcp', '--identity', identity];
  const connection = { bridgeUrl, mcp: `${bridgeUrl}/mcp`, identity, args, line: [own, ...args].join(' ') };
  return clients.map((client) => client(connection));
};

const placeText = (place: Step['place']): string => {
  if (typeof place === 'object') return t('assistants.connect.into', { file: place.file });
  return place === 'terminal' ? t('assistants.connect.inTerminal') : t(`assistants.connect.${place}`);
};

/** A text to take into an assistant's own set-up, with where it belongs. */
const Snippet = ({ name, step }: { name: string; step: Step }) => (
  <figure className={styles.snippet}>
    <figcaption>
      <span>{placeText(step.place)}</span>
      <CopyButton value={step.text}>
        {({ copied, copy }) => (
          <Button
            variant="quiet"
            size="compact-sm"
            onClick={copy}
            aria-label={`${t('parts.copy')}: ${t('assistants.connect.snippet', { name })}`}
          >
            {copied ? t('parts.copied') : t('parts.copy')}
          </Button>
        )}
      </CopyButton>
    </figcaption>
    <pre tabIndex={0} aria-label={t('assistants.connect.snippet', { name })}>
      {step.text}
    </pre>
  </figure>
);

type Way = 'command' | 'address';

const Steps = ({ client, way }: { client: Client; way: Way }) => (
  <>
    <p className={styles.soft}>
      {way === 'command'
        ? `${t('assistants.connect.command')} ${t('assistants.connect.identity')}`
        : client.command && t('assistants.connect.token', { place: tokenPlace })}
      {client.address === null && ` ${t('assistants.connect.onlyCommand', { name: client.name })}`}
    </p>
    {(client[way] ?? []).map((step) => (
      <Snippet key={step.text} name={client.name} step={step} />
    ))}
  </>
);

/** The address for assistants, and what each of the usual ones needs, ready to copy. */
export const Connect = ({ url }: { url: string }) => {
  // Each client its own, and another one whenever this is looked at: an identity that two share is no identity.
  const [identities] = useState(() => new Map<string, string>());
  const identityOf = (client: string): string => {
    const identity = identities.get(client) ?? newIdentity();
    identities.set(client, identity);
    return identity;
  };
  const [name, setName] = useState('Claude Code');
  const clients = clientsFor(url, identityOf(name));
  const [wanted, setWanted] = useState<Way>('command');
  const client = clients.find((one) => one.name === name);
  const ways = (['command', 'address'] as const).filter((way) => client?.[way]);
  const way = ways.includes(wanted) ? wanted : (ways[0] ?? 'command');
  return (
    <section aria-label={t('assistants.connect.title')} className={styles.connect}>
      <h2>{t('assistants.connect.title')}</h2>
      <p className={styles.soft}>{t('assistants.connect.text')}</p>
      <div>
        <CopyLine label={t('assistants.connect.address')} text={url} />
        <CopyLine label={t('assistants.connect.tryIt')} text={`curl ${url}/companion`} />
      </div>
      <div className={styles.choose}>
        <NativeSelect
          label={t('assistants.connect.client')}
          value={name}
          data={clients.map((one) => one.name)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {ways.length > 1 && (
          <SegmentedControl
            aria-label={t('assistants.connect.way')}
            value={way}
            onChange={(value) => setWanted(value === 'address' ? 'address' : 'command')}
            data={[
              { value: 'command', label: t('assistants.connect.byCommand') },
              { value: 'address', label: t('assistants.connect.byAddress') },
            ]}
          />
        )}
      </div>
      {client && <Steps client={client} way={way} />}
    </section>
  );
};
