import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasKeyring } from '../../helpers/hosts/keyring.ts';

const script = join(import.meta.dirname, '..', '..', 'helpers', 'processes', 'connectInKeyring.ts');
const session = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$0" "$1"';

test.runIf(hasKeyring)('the first call of a connected client needs no pairing code', async () => {
  const home = mkdtempSync(join(tmpdir(), 'connected-'));
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
  try {
    const run = ['--', 'sh', '-c', session, process.execPath, script];
    const { stdout } = await promisify(execFile)('dbus-run-session', run, { env, timeout: 50_000 });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      connected: [{ id: 'cursor', state: 'paired', lastUsedAt: null }],
      standing: { plan: 'starter' },
      heard: [{ id: 'cursor', state: 'paired', lastUsedAt: expect.any(Number) as unknown }],
      disconnected: [{ id: 'cursor', state: 'none' }],
      assistants: [],
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
