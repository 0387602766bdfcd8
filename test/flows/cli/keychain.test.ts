import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClientIdentity } from '../../../src/host/clientTokens.ts';
import { hasKeyring } from '../../helpers/hosts/keyring.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'cli.mjs');
let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let home: string;

beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  home = await mkdtemp(join(tmpdir(), 'keyring-'));
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs a shell command with a separate unlocked keyring, and returns its output. */
const inKeyring = async (commands: string, args: string[] = []): Promise<{ stdout: string; stderr: string }> => {
  const keyring = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
  const { DBUS_SESSION_BUS_ADDRESS: _bus, DISPLAY: _display, ...rest } = process.env;
  const line = ['--', 'sh', '-c', `${keyring}; ${commands}`, process.execPath, ...args];
  const child = spawn('dbus-run-session', line, {
    env: { ...rest, HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
};
/** Accepts the next pairing. The clock stands still, as the pairing would expire before the last program has started. */
const acceptNext = async (): Promise<void> => {
  const asked = await waitUntil(() => world.companion().assistants.list().pairings[0], 'the pairing');
  world.companion().assistants.accept(asked.pairingId);
};
const cli = `"$0" "${script}"`;

// The test needs a separate Secret Service, which exists only on Linux.
test.skipIf(!hasKeyring)('the token of a pairing is stored in the keychain for later commands', async () => {
  const flags = `--json --data "${world.dataDir}"`;
  const ended = inKeyring(`${cli} pair ${flags} >/dev/null && ${cli} status ${flags}`);
  await acceptNext();
  const { stdout, stderr } = await ended;
  expect(JSON.parse(stdout)).toMatchObject({ running: true, pairedAs: 'Command line' });
  expect(stdout + stderr).not.toContain('lct_');
});

test.skipIf(!hasKeyring)(
  'a client is recognized by its identity and never by its name',
  async () => {
    const data = ['--data', world.dataDir];
    const [own, other] = [createClientIdentity(), createClientIdentity()];
    const clients = [
      // These programs are not paired but use the name of the paired command line or the name of its token.
      ['Command line', ...data],
      ['command line', ...data],
      ['command line', ...data, '--name', 'command line'],
      ['!Desktop client', ...data, '--identity', own],
      ['Another name', ...data, '--identity', own],
      ['Desktop client', ...data, '--identity', other],
      ['Desktop client', ...data],
    ];
    const ended = inKeyring(`${cli} pair --data "${world.dataDir}" >/dev/null && "$0" "$@"`, [
      join(import.meta.dirname, '..', '..', 'helpers', 'processes', 'keyringClients.ts'),
      ...clients.map((one) => JSON.stringify(one)),
    ]);
    await acceptNext();
    const { assistants } = world.companion();
    await waitUntil(() => assistants.list().pairings.length === 4, 'the pairing with an identity');
    const [mine] = assistants.list().pairings.filter(({ name }) => name === 'Desktop client');
    assistants.accept(mine?.pairingId ?? '');
    const codes: unknown = JSON.parse((await ended).stdout.trim().split('\n').at(-1) ?? '');
    const no = 'NOT_PAIRED';
    expect(codes).toEqual([no, no, no, 'let in', 'let in', no, no]);
  },
  120_000,
);
