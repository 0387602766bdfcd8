import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folders = ['/lib/x86_64-linux-gnu', '/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib'];

/** Returns the files of the system's glib, which Electron on Linux loads before the companion's libraries. */
const systemGlib = (): string[] => {
  const names = ['libglib-2.0.so.0', 'libgobject-2.0.so.0', 'libgio-2.0.so.0'];
  const folder = folders.find((one) => names.every((name) => existsSync(join(one, name))));
  return folder === undefined ? [] : names.map((name) => join(folder, name));
};
const glib = process.platform === 'linux' ? systemGlib() : [];

let outDir: string;
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), 'glib-'));
});
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

const besideGlib = async (script: string, asElectron: boolean) => {
  const photo = join(await getFixtureFolder(), 'good', 'photo.jpg');
  const versions = join(root, 'test', 'electron-standin', 'versions.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...(asElectron ? ['--import', versions] : []), join('test', 'helpers', 'processes', script), photo, outDir],
    { cwd: root, encoding: 'utf8', timeout: 60_000, env: { ...process.env, LD_PRELOAD: glib.join(':') } },
  );
  return { said: stdout.trim(), stderr };
};

// Two glibs collide only on Linux, and only if the system has a glib.
describe.skipIf(glib.length === 0)('photos in a process with the system’s glib', () => {
  test('in Electron, the native image library prepares photos in a process without the system’s glib', async () => {
    const { said, stderr } = await besideGlib('preparePhoto.ts', true);
    expect(said).toBe('ready {"own":["glib-2.0"],"kitchen":["vips-cpp"]}');
    expect(stderr).not.toContain('GLib');
  }, 70_000);

  test('the practice writer reads photos inside Electron without a glib warning', async () => {
    const { said, stderr } = await besideGlib('readPhoto.ts', true);
    expect(said).toBe('read');
    expect(stderr).not.toContain('GLib');
  }, 70_000);

  test('decoding a photo in a process with the system’s glib causes a glib warning', async () => {
    const { stderr } = await besideGlib('decodePhotoHere.ts', false);
    expect(stderr).toContain('GLib-GObject-CRITICAL');
  }, 70_000);
});
