import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startBridge } from '../../../src/bridge/startBridge.ts';
import { createBridgeClient, readPairingState, requestPairing } from '../../../src/cli/bridgeClient.ts';
import { hashWithSha256 } from '../../../src/core/assistants/pairings.ts';
import { tokenVariable } from '../../../src/host/clientTokens.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { startListener, writeDiscovery } from '../../helpers/bridge/listener.ts';
import { commandLine } from '../../helpers/hosts/programs.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { runCommand } from './command.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let token: string;
let port: number;

beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  port = Number(new URL(bridge.url).port);
  ({ token } = await pairAssistant(world, bridge.url, 'Command line'));
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const startCompanionAt = async (at: number): Promise<void> => {
  bridge = await startBridge({ companion: world.companion(), dataDir: world.dataDir, port: at, version: '0.0.0' });
};
const findCompanion = () =>
  createBridgeClient({ dataDir: world.dataDir, ownData: true, keychain: 'memory', env: {} }).find();

/**
 * Another program takes the companion's port while the companion is stopped, and a caller connects to it. The program
 * releases the port but keeps the connection. Then the companion starts on the port, and the program relays all bytes
 * between the caller and the companion. Returns what the program received from the caller.
 */
const handOver = async (start: () => Promise<unknown>, from: string): Promise<string> => {
  const impostor = createServer();
  await once(impostor.listen(port, '127.0.0.1'), 'listening');
  const taken = once(impostor, 'connection') as Promise<[Socket]>;
  const ended = start();
  const [caller] = await taken;
  impostor.close();
  let heard = '';
  caller.on('error', () => undefined);
  caller.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  while (!heard.endsWith('}')) await once(caller, 'data');
  await startCompanionAt(port);
  const sameEnd = from === '127.0.0.1' ? {} : { localAddress: from, localPort: caller.remotePort ?? 0 };
  const relay = connect({ host: '127.0.0.1', port, ...sameEnd });
  relay.on('error', () => caller.destroy());
  relay.write(heard);
  caller.pipe(relay).pipe(caller);
  await ended;
  relay.destroy();
  return heard;
};

const passers: [string, string][] = [
  ['from its own port', '127.0.0.1'],
  // macOS has only one loopback address by default.
  ...(process.platform === 'darwin' ? [] : [['from another address with the caller’s port', '127.0.0.2'] as const]),
].map(([how = '', from = '']) => [how, from]);

describe.each(passers)('a program that leaves the port to the companion and passes the calls on %s', (_how, from) => {
  test('a program that passes calls on to the companion gets no token from the command line', async () => {
    await bridge.stop();
    await writeDiscovery(world.dataDir, port);
    const heard = await handOver(async () => {
      const { code, stdout } = await runCommand(world.dataDir, ['status', '--json'], { token });
      expect([code, stdout]).toEqual([3, expect.stringContaining('UNAUTHORIZED')]);
    }, from);
    for (const secret of [token, hashWithSha256(token), 'uthorization']) expect(heard).not.toContain(secret);
  });

  test('a program that passes pairing calls on to the companion does not get the pairing secret', async () => {
    const found = await findCompanion();
    const pairing = await requestPairing(found, 'A script');
    await bridge.stop();
    const heard = await handOver(
      () => expect(readPairingState(found, pairing)).rejects.toMatchObject({ code: 'UNAUTHORIZED' }),
      from,
    );
    for (const secret of [pairing.pairingSecret, 'uthorization']) expect(heard).not.toContain(secret);
  });

  test('a program that passes calls on to the companion gets no token from a client over stdio', async () => {
    const client = new Client({ name: 'Desktop client', version: '1.0.0' });
    const args = [commandLine, 'mcp', '--data', world.dataDir, '--keychain', 'memory'];
    const env = { [tokenVariable]: token };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }));
    onTestFinished(() => client.close());
    const callTool = () => client.callTool({ name: 'get_standing', arguments: {} });
    expect((await callTool()).isError).toBeFalsy();
    await bridge.stop();
    await writeDiscovery(world.dataDir, port);
    const heard = await handOver(callTool, from);
    for (const secret of [token, 'uthorization']) expect(heard).not.toContain(secret);
    expect((await callTool()).isError).toBeFalsy();
  });
});

test('the pair command looks up the companion’s address before each poll', async () => {
  const polls = vi.spyOn(world.companion().assistants, 'poll');
  const running = runCommand(world.dataDir, ['pair', '--name', 'A script', '--json']);
  await vi.waitFor(() => expect(polls).toHaveReturned(), { timeout: 5_000 });
  await bridge.stop();
  const impostor = await startListener(() => ({ status: 200, body: { state: 'waiting' } }), port);
  await startCompanionAt(0);
  const [asked] = world.companion().assistants.list().pairings;
  world.companion().assistants.accept(asked?.pairingId ?? '');
  expect(await running).toMatchObject({ code: 0, stdout: expect.stringContaining('lct_') as unknown });
  expect(impostor.connections()).toBe(0);
});
