import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { tools } from '../../../src/bridge/mcp/tools/index.ts';
import type { ClientSnippets } from '../../../src/ipc/clients.ts';
import { startHeadless, testFlags, type Headless } from '../../helpers/hosts/startHeadless.ts';
import { openWindowCalls, type WindowCalls } from '../../helpers/hosts/windowCalls.ts';

let folder: string;
let host: Headless;
let shown: ClientSnippets[];

let window: WindowCalls;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'snippets-')));
  mkdirSync(join(folder, 'elsewhere'));
  host = await startHeadless(testFlags(join(folder, `Robin's "own" $HOME data`)));
  window = await openWindowCalls(host.ui);
  shown = await window.ask('clients.snippets', {});
});
afterAll(async () => {
  window.close();
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Started = { command: string; args: string[] };

/** Returns the words of a command line as a shell parses them. The programs are replaced by stubs that print their arguments. */
const wordsOf = async (line: string): Promise<string[]> => {
  const stubs = ['claude', 'codex', 'gemini'].map((name) => `${name}() { printf '%s\\0' "$@"; }`).join('\n');
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${stubs}\n${line}`]);
  return stdout.split('\0').slice(0, -1);
};

const entryShape = z
  .looseObject({ command: z.string().optional(), cmd: z.string().optional(), args: z.array(z.string()) })
  .transform(({ command, cmd, args }): Started => ({ command: command ?? cmd ?? '', args }));
const serverIn = z
  .record(z.string(), z.object({ 'listing-companion': entryShape }))
  .transform((settings) => Object.values(settings)[0]?.['listing-companion'] ?? { command: '', args: [] });

/** Returns the command that a client would start, parsed like the client does. */
const startedBy = async ({ name, command }: ClientSnippets): Promise<Started> => {
  const [step] = command ?? [];
  if (step === undefined) throw new Error(`${name} has no command.`);
  if (step.place === 'terminal') {
    const words = await wordsOf(step.text);
    // Gemini expects the program before `--`.
    const at = words.indexOf('--');
    const behind = words.slice(at + 1);
    return name === 'Gemini CLI'
      ? { command: words[at - 1] ?? '', args: behind }
      : { command: behind[0] ?? '', args: behind.slice(1) };
  }
  if (name === 'Goose') return serverIn.parse(parseYaml(step.text));
  return serverIn.parse(name === 'Codex CLI' ? parseToml(step.text) : JSON.parse(step.text));
};

const names = ['Claude Code', 'Claude Desktop', 'Codex CLI', 'Gemini CLI', 'Cursor', 'VS Code', 'Windsurf', 'Goose'];

test('each client gets its own command and its own identity', async () => {
  expect(shown.filter(({ command }) => command !== null).map(({ name }) => name)).toEqual(names);
  const identities = shown.flatMap(({ command }) => /lci_[\w-]+/.exec(command?.[0]?.text ?? '')?.[0] ?? []);
  expect(new Set(identities).size).toBe(names.length);
});

test.each(names)('the command shown for %s works unchanged from any folder without a PATH', async (name) => {
  const snippets = shown.find((one) => one.name === name);
  if (snippets === undefined) throw new Error(`${name} is not shown.`);
  const { command, args } = await startedBy(snippets);
  const client = new Client({ name, version: '1' });
  await client.connect(
    new StdioClientTransport({
      command,
      args,
      cwd: join(folder, 'elsewhere'),
      env: { HOME: join(folder, 'elsewhere'), PATH: '' },
      stderr: 'ignore',
    }),
  );
  expect((await client.listTools()).tools).toHaveLength(tools.length);
  // A pairing code shows that the command has found this companion by its data folder.
  expect(await client.callTool({ name: 'get_standing', arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: { code: 'NOT_PAIRED', pairingCode: expect.stringMatching(/^\d{6}$/) as string },
  });
  await client.close();
  const { pairings } = await window.ask('assistants.list', {});
  for (const { pairingId } of pairings) await window.ask('assistants.refuse', { pairingId });
});

test('the window gets an exact copy of the built bundle for desktop clients', async () => {
  const { name, base64 } = await window.ask('clients.bundle', {});
  expect(name).toMatch(/^listing-companion-\d+\.\d+\.\d+\.mcpb$/);
  const built = readFileSync(join(import.meta.dirname, '..', '..', '..', 'out', 'listing-companion.mcpb'));
  expect(Buffer.from(base64, 'base64').equals(built)).toBe(true);
});
