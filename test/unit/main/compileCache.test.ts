import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const subject = pathToFileURL(join(import.meta.dirname, '../../../src/main/system/compileCache.ts')).href;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  // Node keeps nothing of what is tiny.
  const functions = Array.from({ length: 400 }, (_, at) => `export const f${at} = (a) => a + ${at};`);
  writeFileSync(join(folder, 'app.mjs'), functions.join('\n'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that keeps what it compiles, as the app does, and loads a module; answers what Node says of its cache. */
const start = async (version: string, env: Record<string, string> = {}): Promise<string> => {
  const copy = JSON.stringify({ appPath: folder, version, env });
  const app = `
    const { keepCompiledCode, writeCompiledCode } = await import(${JSON.stringify(subject)});
    keepCompiledCode(${JSON.stringify(folder)}, ${copy});
    await import(${JSON.stringify(pathToFileURL(join(folder, 'app.mjs')).href)});
    writeCompiledCode();
    await new Promise((resolve) => setImmediate(resolve));`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', app], {
    env: { ...process.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  });
  return stderr;
};

const copies = (): string[] => readdirSync(join(folder, 'compiled'));
const accepted = /cache for ESM .*app\.mjs was accepted/;

test('what one start compiles, the next one finds', async () => {
  expect(await start('1.0.0')).not.toMatch(accepted);
  expect(await start('1.0.0')).toMatch(accepted);
});

test('of a version that is gone nothing is left', async () => {
  await start('1.0.0');
  const [first] = copies();
  await start('1.0.1');
  expect(copies()).toHaveLength(1);
  expect(copies()).not.toContain(first);
});

test('an AppImage keeps nothing, as it lies elsewhere each time', async () => {
  await start('1.0.0', { APPIMAGE: '/opt/companion.AppImage' });
  expect(existsSync(join(folder, 'compiled'))).toBe(false);
});
