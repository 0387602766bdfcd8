import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

const outcome = z.object({
  kind: z.enum(['system', 'memory']),
  problem: z.string().nullable(),
  read: z.string().nullable(),
  again: z.string().nullable(),
  other: z.string().nullable(),
  removed: z.string().nullable(),
  cleared: z.array(z.string().nullable()),
});

const script = join(import.meta.dirname, '..', 'processes', 'keyringScript.ts');
const hasProgram = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));

/** Whether this machine can run a separate Secret Service for a test. */
export const hasKeyring =
  process.platform === 'linux' && hasProgram('gnome-keyring-daemon') && hasProgram('dbus-run-session');

const starts = {
  unlocked: 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$0" "$1"',
  locked: 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; exec "$0" "$1"',
} as const;

/** The loader takes this file for the library, cannot read it and stops searching. */
const hideLibsecret = (folder: string): { LD_LIBRARY_PATH: string } => {
  writeFileSync(join(folder, 'libsecret-1.so.0'), 'This is no library, whatever its name says.'.repeat(20));
  return { LD_LIBRARY_PATH: folder };
};

/**
 * Uses the keychain in a separate process: on a bus with an unlocked keyring, with a keyring that was never unlocked,
 * without a bus, or without the library.
 */
export const useKeychain = (keyring: keyof typeof starts | 'no bus' | 'no libsecret'): z.infer<typeof outcome> => {
  const home = mkdtempSync(join(tmpdir(), 'keyring-'));
  const { DBUS_SESSION_BUS_ADDRESS: _bus, DISPLAY: _display, ...rest } = process.env;
  const library = keyring === 'no libsecret' ? hideLibsecret(home) : {};
  const env = { ...rest, ...library, HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
  const [command, args] =
    keyring === 'no bus' || keyring === 'no libsecret'
      ? [process.execPath, [script]]
      : ['dbus-run-session', ['--', 'sh', '-c', starts[keyring], process.execPath, script]];
  try {
    const done = spawnSync(command, args, { env, encoding: 'utf8', timeout: 25_000 });
    return outcome.parse(JSON.parse(done.stdout.trim().split('\n').at(-1) ?? ''));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};
