import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBridge } from '../../../src/bridge/startBridge.ts';
import { hasForeignSocketInTable } from '../../../src/bridge/foreignSockets.ts';
import { callBridge } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const formatTable = (...rows: string[]): string =>
  ['  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode', ...rows].join(
    '\n',
  );
const formatRow = (local: string, state: string, user: number, inode: number): string =>
  `   0: ${local} 0100007F:9825 ${state} 00000000:00000000 00:00000000 00000000 ${user}        0 ${inode} 1 0000000080f98089 100 0 0 10 0`;

test('another user’s socket on the bridge’s port is detected if it belongs to a process', () => {
  const own = formatRow('0100007F:BAB8', '0A', 1000, 77);
  expect(hasForeignSocketInTable(formatTable(own), 47_800, 1000)).toBe(false);
  for (const state of ['01', '02', '07'])
    expect(hasForeignSocketInTable(formatTable(own, formatRow('0100007F:BAB8', state, 65534, 78)), 47_800, 1000)).toBe(
      true,
    );
  const mapped = formatRow('0000000000000000FFFF00000100007F:BAB8', '01', 0, 79);
  expect(hasForeignSocketInTable(formatTable(mapped), 47_800, 1000)).toBe(true);
  expect(hasForeignSocketInTable(formatTable(formatRow('0100007F:BAB8', '06', 0, 0)), 47_800, 1000)).toBe(false);
  expect(hasForeignSocketInTable(formatTable(formatRow('0100007F:BAB9', '02', 65534, 78)), 47_800, 1000)).toBe(false);
  expect(hasForeignSocketInTable('', 47_800, 1000)).toBe(false);
});

/** A Perl script that binds a socket to the port as another user, and connects it when it receives a line. */
const script = `use Socket; $| = 1; $) = 65534; $> = 65534;
socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
bind($s, pack_sockaddr_in($ARGV[0], INADDR_LOOPBACK)) or die $!; print "bound\\n"; <STDIN>;
connect($s, pack_sockaddr_in($ARGV[1], INADDR_LOOPBACK)) or die $!; print "connected\\n"; <STDIN>;`;

const canBeAnotherUser = process.platform === 'linux' && process.geteuid?.() === 0;

let world: World;
let target: Server;
let other: ChildProcessWithoutNullStreams | undefined;
beforeEach(async () => {
  if (!canBeAnotherUser) return;
  world = await startWorld();
  target = createServer().listen(0, '127.0.0.1');
  await once(target, 'listening');
});
afterEach(async () => {
  if (!canBeAnotherUser) return;
  other?.kill('SIGKILL');
  target.close();
  await world.close();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
/** Returns a port that was free a moment ago. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
};
const nextLine = async ({ stdout }: ChildProcessWithoutNullStreams): Promise<unknown> => once(stdout, 'data');
const bindAsOtherUser = async (port: number): Promise<ChildProcessWithoutNullStreams> => {
  other = spawn('perl', ['-e', script, String(port), String(portOf(target))]);
  await nextLine(other);
  return other;
};
const connectAsOtherUser = async (bound: ChildProcessWithoutNullStreams): Promise<void> => {
  bound.stdin.write('\n');
  await nextLine(bound);
};
const startBridgeOn = (port: number) =>
  startBridge({ companion: world.companion(), dataDir: world.dataDir, port, version: '0.0.0' });
const requestPairing = (url: string) => callBridge(url, 'POST', '/companion/pairings', { body: { name: 'Script' } });

test.runIf(canBeAnotherUser)('pairing is refused as soon as another user connects from the bridge’s port', async () => {
  const port = await freePort();
  const bound = await bindAsOtherUser(port);
  const bridge = await startBridgeOn(port);
  try {
    expect((await requestPairing(bridge.url)).status).toBe(201);
    await connectAsOtherUser(bound);
    expect(await requestPairing(bridge.url)).toMatchObject({ status: 503, body: { code: 'PORT_SHARED' } });
    expect(world.companion().assistants.list().pairings).toHaveLength(1);
  } finally {
    await bridge.stop();
  }
});

test.runIf(canBeAnotherUser)('the bridge does not start if another user has a connection on its port', async () => {
  const port = await freePort();
  await connectAsOtherUser(await bindAsOtherUser(port));
  await expect(startBridgeOn(port)).rejects.toMatchObject({ code: 'PORT_TAKEN' });
});
