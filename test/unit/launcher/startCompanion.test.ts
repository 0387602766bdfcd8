import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** Starts a built copy whose browser host prints a variable and its arguments; `more` adds environment variables. */
const startHost = (more: Record<string, string>): string => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'start-')));
  cpSync(join(root, 'scripts', 'launcher'), join(copy, 'scripts', 'launcher'), { recursive: true });
  mkdirSync(join(copy, 'out', 'main'), { recursive: true });
  writeFileSync(
    join(copy, 'out', 'main', 'headless.js'),
    'console.log(process.env.MALLOC_ARENA_MAX, process.argv.slice(2).join());',
  );
  const launcher = pathToFileURL(join(copy, 'scripts', 'launcher', 'startCompanion.mjs')).href;
  const script = `import { startCompanion } from '${launcher}'; process.exitCode = await startCompanion(['--headless']);`;
  const { MALLOC_ARENA_MAX: _, ...env } = process.env;
  const flags = ['--input-type=module', '-e', script];
  const output = execFileSync(process.execPath, flags, { encoding: 'utf8', env: { ...env, ...more } });
  rmSync(copy, { recursive: true, force: true });
  return output.trim();
};

test('the browser host uses one memory arena unless the caller sets another number', () => {
  expect(startHost({})).toBe('1 --headless');
  expect(startHost({ MALLOC_ARENA_MAX: '4' })).toBe('4 --headless');
});
