// `npm run clients`: connects the real clients from npm, once through Connect and once by the shown command, and checks
// what each client reports, and what reaches the models of Claude Code and Codex. No account is needed; the clients are
// installed into a temporary folder with its own home, and the models are played by a service on this machine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startHeadless, testFlags } from '../../helpers/hosts/startHeadless.ts';
import { openWindowCalls, type WindowCalls } from '../../helpers/hosts/windowCalls.ts';
import { toolList } from '../../../src/bridge/mcp/mcpServer.ts';
import type { ClientId } from '../../../src/ipc/clients.ts';
import { checkModelSide, type ModelSide, type Report } from './modelSide.ts';

const packages = ['@anthropic-ai/claude-code', '@openai/codex', '@google/gemini-cli'];

type Client = {
  id: ClientId;
  name: string;
  file: string;
  list: string[];
  remove: string[];
  /** What the client prints for a server that it accepts: connected, or for Codex only enabled. */
  good: RegExp;
  /** A shell command that makes the client list its tools, if it can without an account. */
  tools?: string;
  model?: ModelSide;
};

/** The messages to the Codex app server, with time for each response. */
const askCodex = [
  { id: 1, method: 'initialize', params: { clientInfo: { name: 'clients', title: 'clients', version: '1.0.0' } } },
  { method: 'initialized' },
  { id: 2, method: 'mcpServerStatus/list', params: {} },
].map((message) => `echo '${JSON.stringify(message)}'; sleep 2`);

const clients: Client[] = [
  {
    ...{ id: 'claude-code', name: 'Claude Code', file: '.claude.json' },
    ...{ list: ['claude', 'mcp', 'list'], remove: ['claude', 'mcp', 'remove', '-s', 'user', 'listing-companion'] },
    good: /listing-companion.*Connected/,
    // It lists its tools before it calls its service, which is unreachable here.
    tools: [
      'CLAUDE_CODE_MAX_RETRIES=0 MCP_CONNECTION_NONBLOCKING=0 ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL=http://127.0.0.1:9',
      'claude -p hello --output-format stream-json --verbose',
    ].join(' '),
    model: {
      ...{ protocol: 'anthropicMessages', prefix: 'mcp__listing-companion__', searches: true },
      toCommand: () => ['claude', '-p', 'Publish my listing.', '--allowedTools', 'mcp__listing-companion'],
      toEnv: (url) => ({
        ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_MAX_RETRIES: '0' },
        ...{ MCP_CONNECTION_NONBLOCKING: '0', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      }),
    },
  },
  {
    ...{ id: 'codex', name: 'Codex CLI', file: '.codex/config.toml' },
    ...{ list: ['codex', 'mcp', 'list'], remove: ['codex', 'mcp', 'remove', 'listing-companion'] },
    good: /listing-companion.*enabled/,
    tools: `(${askCodex.join('; ')}; sleep 12) | codex app-server`,
    model: {
      ...{ protocol: 'openAiResponses', prefix: 'mcp__listing_companion__', searches: false },
      toCommand: (url) => [
        ...['codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
        // Without this, Codex starts its conversation before it knows the tools of a server that starts slowly.
        ...['-c', 'mcp_servers.listing-companion.required=true', '-c', 'model_provider="played"'],
        ...['-c', `model_providers.played={name="played",base_url="${url}/v1",wire_api="responses"}`],
        'Publish my listing.',
      ],
      toEnv: () => ({}),
    },
  },
  {
    ...{ id: 'gemini', name: 'Gemini CLI', file: '.gemini/settings.json' },
    ...{ list: ['gemini', 'mcp', 'list'], remove: ['gemini', 'mcp', 'remove', '-s', 'user', 'listing-companion'] },
    good: /listing-companion.*Connected/,
  },
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'real clients ')));
const [home, work] = [join(folder, 'home'), join(folder, 'work')];
for (const path of [home, work, join(home, '.gemini'), join(home, '.codex'), join(home, '.claude')])
  mkdirSync(path, { recursive: true });
const before: Record<string, string> = {
  '.gemini/settings.json': '{\n  // Mine.\n  "security": { "folderTrust": { "enabled": true } }\n}\n',
  '.gemini/trustedFolders.json': JSON.stringify({ [work]: 'TRUST_FOLDER' }),
  '.codex/config.toml': '# Mine.\nmodel = "gpt-5"\n',
};
for (const [path, text] of Object.entries(before)) writeFileSync(join(home, path), text);

const bins = join(folder, 'clients', 'node_modules', '.bin');
const env = {
  HOME: home,
  PATH: [bins, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
};

const runCommand = (command: string, args: string[], shown = true): string => {
  const { stdout, stderr } = spawnSync(command, args, { cwd: work, env, encoding: 'utf8', timeout: 120_000 });
  const said = `${stdout}${stderr}`;
  if (shown) console.log(said.trim().replaceAll(/^/gm, '    '));
  return said;
};

const failures: string[] = [];
const reportCheck = (what: string, isGood: boolean): void => {
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${what}`);
  if (!isGood) failures.push(what);
};
const isListed = ({ list: [command = '', ...args], good }: Client): boolean => good.test(runCommand(command, args));

/** Returns whether the client lists every tool, with any prefix. */
const listsTools = (line: string): boolean => {
  const said = runCommand('/bin/sh', ['-c', line], false);
  const found = toolList.filter(({ name }) => new RegExp(`[_"]${name}"`).test(said));
  console.log(`    ${found.length} of ${toolList.length} tools`);
  return found.length === toolList.length;
};

const checkConnect = async (window: WindowCalls, client: Client): Promise<void> => {
  const { id, name, file } = client;
  const { planId } = await window.ask('clients.plan', { clientId: id });
  const earlier = before[file];
  await window.ask('clients.connect', { clientId: id, planId });
  reportCheck(`${name} accepts what Connect wrote`, isListed(client));
  if (client.tools !== undefined) reportCheck(`${name} lists the tools`, listsTools(client.tools));
  const report: Report = (what, isGood) => reportCheck(`${name}: ${what}`, isGood);
  if (client.model !== undefined) await checkModelSide(client.model, { window, report, cwd: work, env });
  await window.ask('clients.disconnect', { clientId: id });
  if (earlier !== undefined)
    reportCheck(`${name} has every byte of its settings back`, readFileSync(join(home, file), 'utf8') === earlier);
  // Claude Code changes its settings on every run, so only the entry is checked.
  else reportCheck(`${name} no longer lists the companion`, !isListed(client));
};

const checkShownCommand = async (window: WindowCalls, client: Client): Promise<void> => {
  const shown = await window.ask('clients.snippets', {});
  const text = shown.find(({ name }) => name === client.name)?.command?.[0]?.text ?? '';
  console.log(`    ${text}`);
  runCommand('/bin/sh', ['-c', text]);
  reportCheck(`${client.name} accepts the shown command`, isListed(client));
  const [command = '', ...args] = client.remove;
  runCommand(command, args, false);
};

const install = spawnSync(
  'npm',
  ['install', '--no-audit', '--no-fund', '--prefix', join(folder, 'clients'), ...packages],
  {
    env: { ...process.env, npm_config_ignore_scripts: 'false' },
    encoding: 'utf8',
  },
);
if (install.status !== 0) console.error(install.stderr);
const host = await startHeadless(testFlags(join(folder, "Robin's data")), env);
try {
  const window = await openWindowCalls(host.ui);
  await window.ask('connect.practice', { shop: 'stocked' });
  const here = (await window.ask('clients.list', {})).map(({ id }) => id);
  for (const client of clients) {
    console.log(
      `\n${client.name} ${
        runCommand(client.list[0] ?? '', ['--version'], false)
          .trim()
          .split('\n')
          .at(-1) ?? ''
      }`,
    );
    reportCheck(`${client.name} is found`, here.includes(client.id));
    await checkConnect(window, client);
    await checkShownCommand(window, client);
  }
  window.close();
} finally {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? '\nAll clients work.' : `\n${failures.length} did not work.`);
process.exitCode = failures.length === 0 ? 0 : 1;
