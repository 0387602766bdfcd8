import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const isTypes = (names: string): boolean =>
  /^\{[^}]*\}$/.test(names) &&
  names
    .slice(1, -1)
    .split(',')
    .every((name) => /^\s*(type .*)?$/s.test(name));

/** What a module loads before it runs: its own files, and packages. What it imports when it is wanted is left out. */
const loadedBefore = (entry: string): { files: string[]; packages: string[] } => {
  const files = new Set<string>();
  const packages = new Set<string>();
  const read = (path: string): void => {
    if (files.has(path) || !existsSync(path)) return;
    files.add(path);
    if (!path.endsWith('.ts')) return;
    for (const [, names = '', from = ''] of readFileSync(path, 'utf8').matchAll(
      /^(?:import|export) (?!type )([^;]*?) ?from '([^']+)'/gm,
    )) {
      if (isTypes(names)) continue;
      if (from.startsWith('.')) read(resolve(dirname(path), from));
      else packages.add(from);
    }
  };
  read(join(root, entry));
  return { files: [...files].map((path) => relative(root, path)), packages: [...packages] };
};

test('Chromium waits for nothing but what must be said before it starts', () => {
  const { files, packages } = loadedBefore('src/main/index.ts');
  expect(files).toContain('src/main/appScheme.ts');
  expect(files).not.toContain('src/main/startDesktop.ts');
  expect(packages.filter((name) => !name.startsWith('node:'))).toEqual(['electron']);
});
