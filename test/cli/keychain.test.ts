import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasKeyring } from '../helpers/keyring.ts';
import { startWorld, type World } from '../helpers/world.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'cli.mjs');
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

// Needs a Secret Service of its own, which only Linux can be given by a test.
test.skipIf(!hasKeyring)('a token outlives the process that paired, in the keychain and nowhere else', async () => {
  const cli = `"$0" "${script}"`;
  const flags = `--json --data "${world.dataDir}"`;
  const keyring = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
  const commands = `${keyring}; ${cli} pair ${flags} >/dev/null && ${cli} status ${flags}`;
  const { DBUS_SESSION_BUS_ADDRESS: _bus, DISPLAY: _display, ...rest } = process.env;
  const child = spawn('dbus-run-session', ['--', 'sh', '-c', commands, process.execPath], {
    env: { ...rest, HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = [text(child.stdout), text(child.stderr)];
  const asked = await world.until(() => world.companion().assistants.list().pairings[0], 'the pairing');
  world.companion().assistants.accept(asked.pairingId);
  const [stdout = '', stderr = ''] = await Promise.all(said);
  expect(JSON.parse(stdout)).toMatchObject({ running: true, pairedAs: 'Command line' });
  expect(stdout + stderr).not.toContain('lct_');
});
