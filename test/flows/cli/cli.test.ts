import { execFile, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { commands } from '../../../src/cli/commands.ts';
import { tokenVariable } from '../../../src/host/clientTokens.ts';
import { allowFolder } from '../../helpers/allowFolder.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { writeDiscovery } from '../../helpers/bridge/listener.ts';
import { listDescendants } from '../../helpers/hosts/listDescendants.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { runCommand, type Ended } from './command.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let token: string;

beforeAll(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  ({ token } = await pairAssistant(world, bridge.url, 'Command line'));
});
afterAll(async () => {
  await bridge.stop();
  await world.close();
});

const runWithToken = (...args: string[]): Promise<Ended> => runCommand(world.dataDir, args, { token });
const parseJson = ({ stdout }: Ended): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(stdout));

const sentRequest = z.object({ request: z.instanceof(ClientRequest) });

/** Returns the result of a running command while the clock advances. */
const whileRunning = async (running: Promise<Ended>): Promise<Ended> => {
  let ended: Ended | null = null;
  void running.then((one) => (ended = one));
  return world.until(() => ended, 'the end of the command');
};

describe('command-line arguments', () => {
  const wrong: [string, string[], RegExp][] = [
    ['an unknown command', ['sell'], /no command "sell"/],
    ['the name of a prototype property', ['constructor'], /no command "constructor"/],
    ['a missing id', ['publish'], /takes ID/],
    ['an extra argument', ['list', 'all'], /takes nothing more/],
    ['an unknown flag', ['list', '--all'], /--all/],
    ['a flag without its value', ['list', '--status'], /--status/],
    ['a quantity that is not a number', ['add', '.', '--quantity', 'many'], /number from 1/],
  ];
  test.each(wrong)('a command with invalid arguments is refused with exit code 2: %s', async (_what, args, says) => {
    const ended = await runWithToken(...args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(says);
    const asJson = await runWithToken(...args, '--json');
    expect([asJson.code, parseJson(asJson)['code'], asJson.stderr]).toEqual([2, 'MISUSE', '']);
  });

  test('--help lists every command and explains how to start the companion', async () => {
    const { code, stdout } = await runWithToken('--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Without a command, listing-companion starts')]);
    for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  test.each(Object.keys(commands).filter((name) => name !== 'prepare'))(
    '%s --help describes the command',
    async (name) => {
      const { code, stdout } = await runWithToken(name, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`listing-companion ${name}`);
      expect(stdout).toContain('--json');
    },
  );
});

describe('a companion that cannot be reached', () => {
  test('a command reports that the companion is not running', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'companion-'));
    const ended = await runCommand(empty, ['status'], { token });
    expect(ended).toEqual({
      code: 3,
      stdout: '',
      stderr: 'Listing Companion is not running. Start it, then try again.\n',
    });
  });

  test('a command ignores a stale discovery file', async () => {
    const stale = await mkdtemp(join(tmpdir(), 'companion-'));
    await writeDiscovery(stale, Number(new URL(bridge.url).port), { pid: 2 ** 22 + 1 });
    expect(parseJson(await runCommand(stale, ['status', '--json'], { token }))).toMatchObject({ code: 'NOT_RUNNING' });
  });

  test('a command without a valid token is refused', async () => {
    expect(await runCommand(world.dataDir, ['list'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('pair') as unknown,
    });
    expect((await runCommand(world.dataDir, ['list'], { token: 'lct_guess' })).code).toBe(3);
  });
});

describe('pairing by command line', () => {
  const pairByCommand = async (decide: 'accept' | 'refuse'): Promise<Ended> => {
    let output = '';
    const running = runCommand(world.dataDir, ['pair', '--name', 'A script', '--json'], {
      said: (line) => (output += line),
    });
    await world.until(() => /\d{6}/.test(output), 'the code');
    const [asked] = world.companion().assistants.list().pairings;
    expect([asked?.name, output.includes(asked?.code ?? '?')]).toEqual(['A script', true]);
    world.companion().assistants[decide](asked?.pairingId ?? '');
    return running;
  };

  test('the pair command shows the code and prints a valid token', async () => {
    const ended = await pairByCommand('accept');
    expect(ended.code).toBe(0);
    const { token: own } = z.looseObject({ token: z.string() }).parse(parseJson(ended));
    const status = await runCommand(world.dataDir, ['status', '--json'], { token: own });
    expect(parseJson(status)).toMatchObject({ running: true, pairedAs: 'A script', waitingApprovals: 0 });
  });

  test('the pair command reports a refused pairing', async () => {
    const ended = await pairByCommand('refuse');
    expect([ended.code, parseJson(ended)['code']]).toEqual([1, 'PAIRING_REFUSED']);
  });
});

describe('listing an item by command line', () => {
  test('the add command explains where to allow a folder that is not allowed', async () => {
    const ended = await runWithToken('add', await world.folder('not allowed'));
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/not allowed this folder.*Assistants/);
  });

  test('the commands turn an allowed folder into a live listing after the person’s approval', async () => {
    const folder = await world.folder('allowed');
    allowFolder(world, 'Command line', folder);
    const added = await whileRunning(runWithToken('add', folder, '--note', 'Two of them'));
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Ready to review\. Item it_\S+, listing \S+\.\n$/) as unknown,
    });
    expect(added.stderr).not.toContain('\u001b');
    const [, itemId = '', listingId = ''] = /Item (\S+), listing (\S+)\.\n/.exec(added.stdout) ?? [];
    expect((await runWithToken('show', itemId)).stdout).toContain('Ready to review');
    expect((await runWithToken('show', listingId)).stdout).toContain('pending_review');
    expect(parseJson(await runWithToken('list', '--status', 'pending_review', '--json'))).toMatchObject({
      listings: expect.arrayContaining([expect.objectContaining({ listingId })]) as unknown,
    });

    const asked = await runWithToken('publish', listingId, '--no-wait', '--reason', 'Spring – sale');
    expect(asked).toMatchObject({ code: 4, stdout: expect.stringContaining('Publish on the US site') as unknown });
    expect(world.companion().approvals.listPending()[0]?.reason).toBe('Spring – sale');
    expect((await runWithToken('approvals')).stdout).toMatch(/pending {2}Publish on the US site/);

    const before = await world.happened('publish');
    let said = '';
    const running = runCommand(world.dataDir, ['publish', listingId, '--reason', 'Spring – sale'], {
      ...{ token, said: (line) => (said += line) },
    });
    // The earlier request waits already. A yes before this one has arrived would leave it a live listing.
    await world.until(() => said.includes('Say yes or no'), 'the second request');
    await world.yes();
    const live = await whileRunning(running);
    expect(live).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Published. The listing is live. https?:\/\/\S+\n$/) as unknown,
    });
    expect(await world.happened('publish')).toBe(before + 1);
  });

  test('each run of the add command uses its own idempotency key', async () => {
    const folder = await world.folder('twice the same');
    allowFolder(world, 'Command line', folder);
    const keys: unknown[] = [];
    const recordKey = (message: unknown): void => {
      const parsed = sentRequest.safeParse(message);
      if (!parsed.success || parsed.data.request.path !== '/companion/items') return;
      keys.push(parsed.data.request.getHeader('idempotency-key'));
    };
    subscribe('http.client.request.start', recordKey);
    const ids = [
      parseJson(await runWithToken('add', folder, '--no-wait', '--json')),
      parseJson(await runWithToken('add', folder, '--no-wait', '--json')),
    ];
    unsubscribe('http.client.request.start', recordKey);
    expect(new Set(ids.map(({ itemId }) => itemId)).size).toBe(2);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[\da-f-]{36}$/);
  });

  test('a declined publish ends the command with exit code 1', async () => {
    const { listingId } = await world.reviewed('refused');
    const running = runWithToken('publish', listingId, '--json');
    const prompt = await world.until(() => world.companion().approvals.listPending()[0], 'the prompt');
    world.companion().approvals.decline(prompt.approvalId, prompt.digest, 'no');
    const ended = await whileRunning(running);
    expect([ended.code, parseJson(ended)['code']]).toEqual([1, 'PERSON_DECLINED']);
    const again = await runWithToken('publish', listingId);
    expect(again).toMatchObject({ code: 1, stdout: '' });
  });

  test('the show command fails for an unknown listing', async () => {
    expect(await runWithToken('show', 'none')).toMatchObject({ code: 1, stdout: '' });
    expect((await runWithToken('show', '../agent/me')).code).toBe(1);
  });

  test('control characters in a title are not printed to the terminal', async () => {
    const { listingId } = await world.reviewed('sly');
    const title = 'Sly \u001b[2J\u001b]0;gone\u0007 \u202egniht';
    await world.perform('updateListing', { params: { listingId }, body: { title } });
    for (const args of [['show', listingId], ['list']]) {
      const { stdout } = await runWithToken(...args);
      expect(stdout).toContain('Sly');
      expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });
});

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'cli.mjs');

test('a command can be started from any folder and returns its exit code', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  const startScript = (args: string[], folder: string): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { ...process.env, INIT_CWD: '/', [tokenVariable]: token };
      execFile(process.execPath, [script, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });
  const flags = ['--keychain', 'memory', '--json'];
  const here = await startScript(['status', '--data', world.dataDir, ...flags], elsewhere);
  expect([here.code, parseJson(here)['running']]).toEqual([0, true]);
  const missing = await startScript(['status', '--data', 'nothing-here', ...flags], elsewhere);
  expect([missing.code, parseJson(missing)['code']]).toEqual([3, 'NOT_RUNNING']);
  // A relative path starts at the folder of the caller.
  const folder = await world.folder('near', 1);
  allowFolder(world, 'Command line', folder);
  const added = await startScript(['add', 'near', '--no-wait', '--data', world.dataDir, ...flags], join(folder, '..'));
  expect([added.code, typeof parseJson(added)['itemId']]).toEqual([0, 'string']);
});

test.skipIf(process.platform !== 'linux')('the command line starts no second Node process', async () => {
  const child = spawn(process.execPath, [script, 'mcp', '--data', world.dataDir, '--keychain', 'memory']);
  onTestFinished(() => void child.kill());
  const hello = { jsonrpc: '2.0', id: 1, method: 'ping' };
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  expect(JSON.parse(answer.toString())).toMatchObject({ id: 1 });
  expect(listDescendants(child.pid ?? 0)).toEqual([]);
});
