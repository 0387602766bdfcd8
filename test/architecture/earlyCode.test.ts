import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { routes } from '../../src/contract/index.ts';
import { declareRoutes } from '../../src/contract/route.ts';
import { defineIpcCall } from '../../src/ipc/call.ts';
import { calls } from '../../src/ipc/calls.ts';

const root = join(import.meta.dirname, '..', '..');
const isTypes = (names: string): boolean =>
  /^\{[^}]*\}$/.test(names) &&
  names
    .slice(1, -1)
    .split(',')
    .every((name) => /^\s*(type .*)?$/s.test(name));

/** Returns the files and packages that a module imports statically, directly or indirectly. */
const collectStaticImports = (entry: string): { files: string[]; packages: string[] } => {
  const files = new Set<string>();
  const packages = new Set<string>();
  const read = (path: string): void => {
    if (files.has(path) || !existsSync(path)) return;
    files.add(path);
    if (!/\.tsx?$/.test(path)) return;
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

test('only code that must run before Chromium starts is loaded that early', () => {
  const { files, packages } = collectStaticImports('src/main/index.ts');
  expect(files).toContain('src/main/appScheme.ts');
  expect(files).not.toContain('src/main/startDesktop.ts');
  expect(packages.filter((name) => !name.startsWith('node:'))).toEqual(['electron']);
});

test('the window opens before the companion’s main parts are loaded', () => {
  const parts = [
    'src/host/practice/practiceListener.ts',
    'src/core/companion/createCompanion.ts',
    'src/bridge/startBridge.ts',
    'src/host/handlers.ts',
    'src/ipc/serveCalls.ts',
  ];
  for (const entry of ['src/main/startDesktop.ts', 'src/main/startBackend.ts']) {
    const { files } = collectStaticImports(entry);
    expect(files.filter((file) => parts.includes(file))).toEqual([]);
  }
});

test('the practice service is loaded only when its port is first used', () => {
  for (const entry of ['src/host/runCompanion.ts', 'src/host/practice/practiceListener.ts']) {
    const { files } = collectStaticImports(entry);
    expect(files.filter((file) => /^src\/(practice|contract|bridge)\//.test(file))).toEqual([]);
  }
  expect(collectStaticImports('src/host/practice/practiceListener.ts').packages).not.toContain('zod');
});

test('the first screens load without the core’s English texts', () => {
  for (const entry of ['src/renderer/src/app/main.tsx', 'src/renderer/src/app/Home.tsx']) {
    const { files } = collectStaticImports(entry);
    expect(files).toContain('src/renderer/src/api/queries.ts');
    expect(files).not.toContain('src/i18n/english.ts');
  }
});

/** Returns the names of the properties with a getter, which build their schema only when read. */
const listGetters = (one: object): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(one)).flatMap(([name, read]) => ('get' in read ? [name] : []));

test('schemas of routes and calls are not built when the companion starts', () => {
  for (const [name, one] of Object.entries(calls)) expect([name, ...listGetters(one)]).toEqual([name, 'input']);
  for (const [name, route] of Object.entries(routes)) {
    const schemas = ['params', 'query', 'headers', 'body', 'answer'].filter((part) => part in route);
    expect([name, ...listGetters(route).toSorted()]).toEqual([name, ...schemas.toSorted()]);
  }
});

test('a schema is built once, when it is first read', () => {
  let count = 0;
  const build = () => {
    count += 1;
    return z.string();
  };
  const { read } = declareRoutes('Insights', {
    read: { method: 'GET', path: '/', summary: 'Read.', access: 'agent', answer: build },
  });
  const asked = defineIpcCall('none', build).answering<null>();
  expect(count).toBe(0);
  expect(read.answer).toBe(read.answer);
  expect(count).toBe(1);
  expect(asked.input).toBe(asked.input);
  expect(count).toBe(2);
});
