import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const kit = join(root, 'node_modules', '@mantine');
const screens = join(root, 'src', 'renderer', 'src');
const readText = (path: string): string => readFileSync(path, 'utf8');
/** Every file of the UI kit by name, listed once because there are thousands. */
const files = Map.groupBy(globSync(join(kit, '*', 'esm', '**', '*.mjs')), (path) => basename(path, '.mjs'));
const parseNames = (list = ''): string[] =>
  list.split(',').flatMap((name) => /^\s*(?!type )(\w+)/.exec(name)?.[1] ?? []);

/** Returns the style sheets of these components and of the components that they use. */
const listSheets = (components: readonly string[]): Set<string> => {
  const seen = new Set<string>();
  const sheets = new Set<string>();
  const read = (path: string): void => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    const sheet = /core.*[\\/](\w+)\.module\.mjs$/.exec(path)?.[1];
    if (sheet !== undefined) sheets.add(sheet);
    const code = readText(path);
    for (const [, other] of code.matchAll(/from "(\.[^"]+)"/g)) read(resolve(dirname(path), String(other)));
    for (const [, list] of code.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)) parseNames(list).forEach(find);
  };
  const find = (component: string): void => files.get(component)?.forEach((path) => read(path));
  components.forEach(find);
  return sheets;
};

test('the imported style sheets are exactly those of the UI kit components in use', () => {
  const components = globSync(join(screens, '**', '*.{ts,tsx}')).flatMap((path) =>
    [...readText(path).matchAll(/import \{([^}]*)\} from '@mantine\/\w+'/g)].flatMap(([, list]) => parseNames(list)),
  );
  const imported = [...readText(join(screens, 'app', 'uiKit.css')).matchAll(/styles\/([A-Z]\w+)\.css/g)].map(
    ([, sheet]) => sheet,
  );
  expect(components).toContain('Button');
  expect([...listSheets(components)].sort()).toEqual(imported.sort());
});

/** Returns what a module imports statically, except types. */
const listImports = (path: string): string[] =>
  [...readText(path).matchAll(/^(?:import|export) (?!type )([^;]*?) from '([^']+)';/gm)].flatMap(
    ([, names = '', from = '']) => (names.startsWith('{') && parseNames(names.slice(1, -1)).length === 0 ? [] : [from]),
  );

/** Returns the packages and UI kit components that these modules of the window load statically. */
const collectLoaded = (...names: readonly string[]) => {
  const packages = new Set<string>();
  const components = new Set<string>();
  const seen = new Set<string>();
  const read = (path: string): void => {
    if (seen.has(path) || !/\.tsx?$/.test(path)) return;
    seen.add(path);
    for (const from of listImports(path))
      if (from.startsWith('.')) read(resolve(dirname(path), from));
      else packages.add(from);
    for (const [, list] of readText(path).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      parseNames(list).forEach((component) => components.add(component));
  };
  for (const name of names) read(join(screens, 'app', name));
  return { packages: [...packages], components: [...components] };
};

test('the app frame loads no packages that only later screens need', () => {
  const { packages, components } = collectLoaded('main.tsx', 'Home.tsx');
  expect(packages).toContain('@mantine/core');
  expect(['zod', '@mantine/form', 'diff'].filter((name) => packages.includes(name))).toEqual([]);
  expect(['Modal', 'Menu'].filter((name) => components.includes(name))).toEqual([]);
});

test('the first-run screen loads no floating components of the UI kit', () => {
  const { components } = collectLoaded('main.tsx');
  expect(components).toContain('Button');
  expect(['Modal', 'Menu', 'Tooltip'].filter((name) => components.includes(name))).toEqual([]);
});
