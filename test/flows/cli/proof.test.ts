import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { formatSocketAddress, computeConnectionProof } from '../../../src/bridge/proof.ts';
import { openLoopbackConnection, requireConnectionProof, sendUnprovenRequest } from '../../../src/cli/connection.ts';
import { createBridgeClient, readPairingState, requestPairing } from '../../../src/cli/bridgeClient.ts';
import { readStartTicks } from '../../../src/bridge/processStart.ts';
import { hashWithSha256 } from '../../../src/core/assistants/pairings.ts';
import { tokenVariable } from '../../../src/host/clientTokens.ts';
import { callBridge, pairAssistant } from '../../helpers/assistant.ts';
import { startListener, writeDiscovery, type Listener } from '../../helpers/bridge/listener.ts';
import { commandLine } from '../../helpers/hosts/programs.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { runCommand, type Ended } from './command.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let token: string;

beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  ({ token } = await pairAssistant(world, bridge.url, 'Command line'));
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const parseJson = ({ stdout }: Ended): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(stdout));
const runStatus = (secret = token): Promise<Ended> =>
  runCommand(world.dataDir, ['status', '--json'], { token: secret });
const getPort = (url: string): number => Number(new URL(url).port);
const parseRequest = (body: string) => z.object({ nonce: z.string(), tag: z.string() }).parse(JSON.parse(body));

/** Checks that a listener received neither the token nor its hash. */
const expectNoSecret = (listener: Listener, secret = token): void => {
  for (const one of [secret, hashWithSha256(secret), 'uthorization']) expect(listener.heard()).not.toContain(one);
};

/** Starts a listener that knows the token, as only the companion does, and can prove this. */
const startProvingListener = (
  answer: Parameters<typeof startListener>[0],
  headers: Record<string, string> = {},
): Promise<Listener> => {
  const listening = startListener(async (heard) => {
    if (heard.path !== '/companion/proof') return answer(heard);
    const bound = { nonce: parseRequest(heard.body).nonce, caller: heard.caller, port: (await listening).port };
    const proof = computeConnectionProof(hashWithSha256(token), 'companion', bound);
    return { status: 200, headers, body: { proof } };
  });
  return listening;
};

describe('another program at the companion’s address', () => {
  const answers: [string, Parameters<typeof startListener>[0]][] = [
    ['accepts every request', () => ({ status: 200, body: { proof: 'A'.repeat(43), name: 'x', waitingApprovals: 0 } })],
    [
      'answers with status 404 like an older companion',
      () => ({ status: 404, body: { error: 'No.', code: 'UNKNOWN_ROUTE' } }),
    ],
    ['hangs up', () => 'hang up'],
    ['changes the protocol', () => ({ status: 101, headers: { connection: 'upgrade', upgrade: 'other' } })],
    ['echoes the request', ({ body }) => ({ status: 200, body: { proof: parseRequest(body).tag } })],
    ['sends a very long answer', () => ({ status: 200, body: { proof: 'A'.repeat(100_000) } })],
  ];
  test.each(answers)('another program that %s gets no token', async (what, answer) => {
    const impostor = await startListener(answer);
    await writeDiscovery(world.dataDir, impostor.port);
    const ended = await runStatus();
    const endsConnection = what === 'hangs up' || what === 'changes the protocol';
    expect([ended.code, parseJson(ended)['code']]).toEqual(endsConnection ? [3, 'NOT_RUNNING'] : [1, 'NOT_PROVEN']);
    expect(impostor.connections()).toBe(1);
    expectNoSecret(impostor);
  });

  test('another program that passes the requests on to the companion gets no token', async () => {
    const impostor = await startListener(async ({ method, path, body }) => {
      const passed = await callBridge(bridge.url, method, path, { body: JSON.parse(body) as unknown });
      return { status: passed.status, body: passed.body };
    });
    await writeDiscovery(world.dataDir, impostor.port);
    const ended = await runStatus();
    expect([ended.code, parseJson(ended)['code']]).toEqual([3, 'UNAUTHORIZED']);
    expectNoSecret(impostor);
  });

  test('another program that replays an old proof gets no token', async () => {
    const port = getPort(bridge.url);
    const nonce = 'N'.repeat(43);
    const before = await openLoopbackConnection(port);
    const bound = { nonce, caller: before.caller, port };
    const body = { nonce, tag: computeConnectionProof(hashWithSha256(token), 'caller', bound) };
    const recorded = await sendUnprovenRequest(before, { method: 'POST', path: '/companion/proof', body });
    expect(recorded).toEqual({
      status: 200,
      body: { proof: computeConnectionProof(hashWithSha256(token), 'companion', bound) },
    });
    before.close();
    await bridge.stop();
    const impostor = await startListener(() => recorded, port);
    const now = await openLoopbackConnection(port);
    onTestFinished(now.close);
    await expect(requireConnectionProof({ ...now, caller: bound.caller }, { token }, undefined)).rejects.toMatchObject({
      code: 'NOT_PROVEN',
    });
    expectNoSecret(impostor);
  });

  test('a command stops waiting for a silent program and sends no token', async () => {
    const impostor = await startListener(() => null);
    await writeDiscovery(world.dataDir, impostor.port);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = runStatus();
    await vi
      .waitFor(() => expect(impostor.heard()).toContain('/companion/proof'), { interval: 0 })
      .catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(parseJson(await ended)['code']).toBe('NOT_ANSWERING');
    expectNoSecret(impostor);
  });

  test('after the proven connection has been closed, no token is sent on a new connection', async () => {
    // The listener closes the proven connection and accepts the next connection.
    const listener = await startProvingListener(() => ({ status: 200 }), { connection: 'close' });
    await writeDiscovery(world.dataDir, listener.port);
    expect(parseJson(await runStatus())['code']).toBe('NOT_RUNNING');
    expect(listener.connections()).toBe(1);
    expectNoSecret(listener);
  });

  test('another program does not get the secret of a pairing that was made with the companion', async () => {
    const place = { dataDir: world.dataDir, ownData: true, keychain: 'memory' as const, env: {} };
    const found = await createBridgeClient(place).find();
    const pairing = await requestPairing(found, 'A script');
    expect(await readPairingState(found, pairing)).toEqual({ state: 'waiting' });
    await bridge.stop();
    const impostor = await startListener(() => ({ status: 200, body: { state: 'waiting' } }), found.port);
    await expect(readPairingState(found, pairing)).rejects.toMatchObject({ code: 'NOT_PROVEN' });
    expectNoSecret(impostor, pairing.pairingSecret);
    expect(impostor.heard()).toContain('/companion/proof');
  });
});

describe('the command line follows no redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    'a redirect with status %i from another program is not followed',
    async (code) => {
      const target = await startListener(() => ({ status: 200 }));
      const headers = { location: `http://127.0.0.1:${target.port}/` };
      const impostor = await startListener(() => ({ status: code, headers }));
      await writeDiscovery(world.dataDir, impostor.port);
      expect(parseJson(await runStatus())['code']).toBe('NOT_PROVEN');
      expect([impostor.connections(), target.connections()]).toEqual([1, 0]);
    },
  );

  test.each([301, 302, 303, 307, 308])('a redirect with status %i after the proof is rejected', async (code) => {
    const target = await startListener(() => ({ status: 200 }));
    const headers = { location: `http://127.0.0.1:${target.port}/` };
    const known = await startProvingListener(() => ({ status: code, headers }));
    await writeDiscovery(world.dataDir, known.port);
    expect(parseJson(await runStatus())['code']).toBe('UNEXPECTED_ANSWER');
    expect(target.connections()).toBe(0);
  });
});

describe('invalid and stale discovery files', () => {
  const elsewhere: [string, (port: number) => Record<string, unknown>][] = [
    [
      'a host name instead of an address',
      (port) => ({ url: `http://localhost:${port}`, mcpUrl: `http://localhost:${port}/mcp` }),
    ],
    [
      'another address of this machine',
      (port) => ({ url: `http://127.0.0.2:${port}`, mcpUrl: `http://127.0.0.2:${port}/mcp` }),
    ],
    ['another machine', () => ({ url: 'http://192.0.2.1:80', mcpUrl: 'http://192.0.2.1:80/mcp' })],
    ['an address with a user name', (port) => ({ url: `http://127.0.0.1:${port}@localhost:${port}` })],
    ['an address with a path', (port) => ({ url: `http://127.0.0.1:${port}/x` })],
    ['an https address', (port) => ({ url: `https://127.0.0.1:${port}` })],
    ['the tools at another port', (port) => ({ mcpUrl: `http://127.0.0.1:${port + 1}/mcp` })],
    ['an invalid port', () => ({ url: 'http://127.0.0.1:70000', mcpUrl: 'http://127.0.0.1:70000/mcp' })],
    ['control characters in the version', () => ({ version: '1.0\u001b[2J' })],
    ['a file that is too large', () => ({ more: 'x'.repeat(10_000) })],
  ];
  test.each(elsewhere)('nothing is sent if the discovery file is invalid: %s', async (_what, more) => {
    const impostor = await startListener(() => ({ status: 200 }));
    await writeDiscovery(world.dataDir, impostor.port, more(impostor.port));
    expect(parseJson(await runStatus())['code']).toBe('DISCOVERY_UNREADABLE');
    expect(impostor.connections()).toBe(0);
  });

  test('nothing is sent if the discovery file is a link, a pipe or invalid JSON', async () => {
    const impostor = await startListener(() => ({ status: 200 }));
    const other = await mkdtemp(join(tmpdir(), 'companion-'));
    onTestFinished(() => rm(other, { recursive: true, force: true }));
    await writeDiscovery(other, impostor.port);
    const file = join(world.dataDir, 'bridge.json');
    for (const plant of [
      () => symlink(join(other, 'bridge.json'), file),
      () => promisify(execFile)('mkfifo', [file]),
      () => writeFile(file, '{'),
    ]) {
      await rm(file, { force: true });
      await plant();
      expect(parseJson(await runStatus())['code']).toBe('DISCOVERY_UNREADABLE');
    }
    expect(impostor.connections()).toBe(0);
  });

  test.skipIf(process.platform !== 'linux')(
    'nothing is sent if the process named in the discovery file has ended',
    async () => {
      const impostor = await startListener(() => ({ status: 200 }));
      // The process stays a zombie, because its parent becomes a program that does not collect it.
      const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
      onTestFinished(() => void parent.kill());
      const [output] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(output.toString());
      const readStat = (): Promise<string> => readFile(`/proc/${pid}/stat`, 'utf8');
      await vi.waitFor(async () => expect(await readStat()).toMatch(/\) Z /), { timeout: 10_000 });
      await writeDiscovery(world.dataDir, impostor.port, { pid, startTicks: await readStartTicks(pid) });
      expect(parseJson(await runStatus())['code']).toBe('NOT_RUNNING');
      expect(impostor.connections()).toBe(0);
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'nothing is sent if the process id in the discovery file is reused',
    async () => {
      const impostor = await startListener(() => ({ status: 200 }));
      const later = spawn('sleep', ['60']);
      onTestFinished(() => void later.kill());
      await once(later, 'spawn');
      const startTicks = await readStartTicks(process.pid);
      await writeDiscovery(world.dataDir, impostor.port, { pid: later.pid, startTicks });
      expect(parseJson(await runStatus())['code']).toBe('NOT_RUNNING');
      expect(impostor.connections()).toBe(0);
      await writeDiscovery(world.dataDir, getPort(bridge.url), { startTicks });
      expect(parseJson(await runStatus())).toMatchObject({ running: true });
    },
  );

  test('the command line ignores proxy settings in the environment', async () => {
    const proxy = await startListener(() => ({ status: 200 }));
    const at = `http://127.0.0.1:${proxy.port}`;
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: at, http_proxy: at, ALL_PROXY: at, NO_PROXY: '', no_proxy: '' };
    const args = [commandLine, 'status', '--json', '--data', world.dataDir, '--keychain', 'memory'];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, ...env, [tokenVariable]: token },
    });
    expect(JSON.parse(stdout)).toMatchObject({ running: true });
    expect(proxy.connections()).toBe(0);
  });
});

test('the mcp command sends its token only on connections with a proof', async () => {
  const client = new Client({ name: 'Desktop client', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [commandLine, 'mcp', '--data', world.dataDir, '--keychain', 'memory'],
      env: { [tokenVariable]: token },
      stderr: 'pipe',
    }),
  );
  const codeOfCall = async (): Promise<unknown> => {
    const { structuredContent } = await client.callTool({ name: 'get_standing', arguments: {} });
    return z.looseObject({ code: z.unknown().optional() }).parse(structuredContent).code;
  };
  expect(await codeOfCall()).toBeUndefined();
  const port = getPort(bridge.url);
  await bridge.stop();
  const impostor = await startListener(() => ({ status: 200 }), port);
  await writeDiscovery(world.dataDir, port);
  expect(await codeOfCall()).toBe('NOT_PROVEN');
  expectNoSecret(impostor);
  await impostor.close();
  const unknowing = await startListener(({ path }) =>
    path === '/companion/pairings' ? 'hang up' : { status: 401, body: { error: 'Run this.', code: 'UNAUTHORIZED' } },
  );
  await writeDiscovery(world.dataDir, unknowing.port);
  expect(await codeOfCall()).toBe('NOT_RUNNING');
  expectNoSecret(unknowing);
  bridge = await world.bridge();
  expect(await codeOfCall()).toBeUndefined();
  await client.close();
});

test('the companion proves its identity only for a known secret and limits wrong attempts', async () => {
  const port = getPort(bridge.url);
  const connection = await openLoopbackConnection(port);
  onTestFinished(connection.close);
  const bound = { nonce: 'N'.repeat(43), caller: connection.caller, port };
  const requestProof = async (secret: string, more: object = {}, other: Partial<typeof bound> = {}) => {
    const tag = computeConnectionProof(hashWithSha256(secret), 'caller', { ...bound, ...other });
    const body = { nonce: bound.nonce, tag, ...more };
    const answer = await sendUnprovenRequest(connection, { method: 'POST', path: '/companion/proof', body });
    const { code, proof } = z
      .looseObject({ code: z.string().optional(), proof: z.string().optional() })
      .parse(answer.body);
    return [answer.status, code ?? proof];
  };
  const { pairingId, pairingSecret } = world.companion().assistants.requestPairing('Another');
  const buildProofAnswer = (secret: string) => [
    200,
    computeConnectionProof(hashWithSha256(secret), 'companion', bound),
  ];
  expect(await requestProof(token)).toEqual(buildProofAnswer(token));
  expect(await requestProof(pairingSecret, { pairingId })).toEqual(buildProofAnswer(pairingSecret));
  const refused = [401, 'UNAUTHORIZED'];
  expect(await requestProof('lct_guess')).toEqual(refused);
  expect(await requestProof(token, {}, { port: port + 1 })).toEqual(refused);
  expect(await requestProof(token, {}, { caller: `127.0.0.1:${port}` })).toEqual(refused);
  expect(await requestProof(token, { caller: connection.caller })).toEqual([400, 'INVALID_REQUEST']);
  expect(await requestProof(token, { pairingId })).toEqual(refused);
  expect(await requestProof(pairingSecret)).toEqual(refused);
  expect(await requestProof(pairingSecret, { pairingId: 'pa_none' })).toEqual(refused);
  expect(await requestProof(token, { port: port + 1 })).toEqual([400, 'INVALID_REQUEST']);
  for (let turn = 6; turn < 60; turn += 1) await requestProof('lct_guess');
  expect(await requestProof('lct_guess')).toEqual([429, 'SLOW_DOWN']);
  expect(await requestProof(token)).toEqual(buildProofAnswer(token));
  const ended = await runStatus('lct_guess');
  expect([ended.code, parseJson(ended)]).toEqual([1, expect.objectContaining({ code: 'SLOW_DOWN', retryAfterS: 60 })]);
  expect(parseJson(await runStatus())).toMatchObject({ running: true });
  world.clock.advance(60_000);
  expect(await requestProof('lct_guess')).toEqual(refused);
});

test('a socket address has the same form for IPv4 and IPv4-mapped IPv6 sockets', () => {
  expect(formatSocketAddress('::ffff:127.0.0.1', 4_711)).toBe(formatSocketAddress('127.0.0.1', 4_711));
  expect(formatSocketAddress('127.0.0.2', 4_711)).not.toBe(formatSocketAddress('127.0.0.1', 4_711));
  expect(formatSocketAddress('127.0.0.1', 4_711)).not.toBe(formatSocketAddress('127.0.0.1', 4_712));
  // Two sides cannot agree on an unknown address.
  expect(() => formatSocketAddress(undefined, undefined)).toThrow();
});
