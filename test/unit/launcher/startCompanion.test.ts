import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** Starts a built copy whose browser host prints two variables and its arguments; `more` adds environment variables. */
const startHost = (more: Record<string, string>): string => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'start-')));
  cpSync(join(root, 'scripts', 'launcher'), join(copy, 'scripts', 'launcher'), { recursive: true });
  mkdirSync(join(copy, 'out', 'main'), { recursive: true });
  writeFileSync(
    join(copy, 'out', 'main', 'headless.js'),
    'const { MALLOC_ARENA_MAX: arenas, MALLOC_MMAP_THRESHOLD_: bytes } = process.env; console.log(arenas, bytes, process.argv.slice(2).join());',
  );
  const launcher = pathToFileURL(join(copy, 'scripts', 'launcher', 'startCompanion.mjs')).href;
  const script = `import { startCompanion } from '${launcher}'; process.exitCode = await startCompanion(['--headless']);`;
  const { MALLOC_ARENA_MAX: _, MALLOC_MMAP_THRESHOLD_: __, ...env } = process.env;
  const flags = ['--input-type=module', '-e', script];
  const output = execFileSync(process.execPath, flags, { encoding: 'utf8', env: { ...env, ...more } });
  rmSync(copy, { recursive: true, force: true });
  return output.trim();
};

test('the browser host uses one memory arena and a fixed limit for its heap unless the caller sets others', () => {
  expect(startHost({})).toBe('1 1048576 --headless');
  expect(startHost({ MALLOC_ARENA_MAX: '4', MALLOC_MMAP_THRESHOLD_: '131072' })).toBe('4 131072 --headless');
});
