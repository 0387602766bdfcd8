import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { tokenVariable } from '../../../src/host/clientTokens.ts';
import { startListener, writeDiscovery } from '../../helpers/bridge/listener.ts';
import { commandLine } from '../../helpers/hosts/programs.ts';

const token = `lct_${'t'.repeat(43)}`;
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'companion-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

type Ended = { exit: number; code: unknown; sentence: unknown };
const refusal = z.object({ error: z.string(), code: z.string() });

/** Runs the command line in a separate process. */
const runRefusedCommand = async (command: 'pair' | 'status'): Promise<Ended> => {
  const args = [commandLine, command, '--json', '--data', dataDir, '--keychain', 'memory'];
  const env = { ...process.env, ...(command === 'status' ? { [tokenVariable]: token } : {}) };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_error, stdout) => {
      const { error: sentence, code } = refusal.parse(JSON.parse(stdout));
      resolve({ exit: child.exitCode ?? -1, code, sentence });
    });
  });
};

/** Calls a tool as a desktop client does, through a separate process. */
const callTool = async (): Promise<Record<string, unknown>> => {
  const client = new Client({ name: 'Desktop client', version: '1.0.0' });
  const args = [commandLine, 'mcp', '--data', dataDir, '--keychain', 'memory'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { [tokenVariable]: token }, stderr: 'ignore' }),
  );
  const { structuredContent } = await client.callTool({ name: 'get_standing', arguments: {} });
  await client.close();
  return z.record(z.string(), z.unknown()).parse(structuredContent);
};

/** Starts a companion in a separate process. */
const startCompanion = async (): Promise<ChildProcess> => {
  const program = join(import.meta.dirname, '..', '..', 'helpers', 'processes', 'bridgeProcess.ts');
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  await once(child.stdout ?? child, 'data');
  return child;
};

const listenOnFreePort = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

const writeDiscoveryFile = (content: string) => writeFile(join(dataDir, 'bridge.json'), content);
/** Returns the errors of two commands and of a tool call. */
const requestAll = async (): Promise<[Ended, Ended, Record<string, unknown>]> =>
  Promise.all([runRefusedCommand('status'), runRefusedCommand('pair'), callTool()]);
const quitAndStart = /[Qq]uit.*start it again/;

test.skipIf(process.platform === 'win32')(
  'the commands and the tools report a frozen companion as not answering',
  async () => {
    const companion = await startCompanion();
    companion.kill('SIGSTOP');
    const [status, pair, tool] = await requestAll();
    const hangs = { exit: 3, code: 'NOT_ANSWERING', sentence: expect.stringMatching(quitAndStart) as string };
    expect([status, pair]).toEqual([hangs, hangs]);
    expect(tool).toMatchObject({
      code: 'NOT_ANSWERING',
      nextStep: expect.stringMatching(/quit Listing Companion/) as string,
    });
  },
);

test.each([
  ['invalid JSON', '{'],
  ['other JSON', '{"name": "a settings file"}'],
  ['no content', ''],
])('a bridge.json with %s is reported as unreadable', async (_what, content) => {
  await writeDiscoveryFile(content);
  const [status, pair, tool] = await requestAll();
  const odd = { exit: 3, code: 'DISCOVERY_UNREADABLE', sentence: expect.stringMatching(quitAndStart) as string };
  expect([status, pair]).toEqual([odd, odd]);
  expect(tool).toMatchObject({ code: 'DISCOVERY_UNREADABLE' });
});

const answerWithJson = (body: unknown) => async (): Promise<number> =>
  (await startListener(() => ({ status: 200, body }))).port;
const others: [string, () => Promise<number>][] = [
  ['answers with its own JSON', answerWithJson({ hello: 'world' })],
  ['answers with an invalid pairing', answerWithJson({ pairingId: 7, code: 'x', proof: 'A'.repeat(43) })],
  ['answers with status 404', async () => (await startListener(() => ({ status: 404, body: {} }))).port],
  [
    'does not speak HTTP',
    () => listenOnFreePort(createServer((socket) => void socket.on('error', () => undefined).end('SSH-2.0-other\r\n'))),
  ],
];
test.each(others)('another program that %s is reported as not being the companion', async (_what, start) => {
  const port = await start();
  await writeDiscovery(dataDir, port);
  const [status, pair, tool] = await requestAll();
  const sentence = expect.stringContaining(`127.0.0.1:${port} did not prove that it is Listing Companion`) as string;
  const other = { exit: 1, code: 'NOT_PROVEN', sentence };
  expect([status, pair]).toEqual([other, other]);
  expect(tool).toMatchObject({ code: 'NOT_PROVEN' });
});

test('the commands and the tools report that no companion is running', async () => {
  const [status, pair, tool] = await requestAll();
  const none = {
    exit: 3,
    code: 'NOT_RUNNING',
    sentence: 'Listing Companion is not running. Start it, then try again.',
  };
  expect([status, pair]).toEqual([none, none]);
  expect(tool).toMatchObject({ code: 'NOT_RUNNING' });
});
