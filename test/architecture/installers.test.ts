import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { languageCodes } from '../../src/i18n/languages.ts';

const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');

/** Where native packages keep their build for a system; nothing builds them at the install. */
const buildOf = {
  keytar: (system: string) => `keytar/prebuilds/${system}/keytar.node`,
  'better-sqlite3': (system: string) => `better-sqlite3/prebuilds/${system}.node`,
};
const systems = ['linux', 'darwin', 'win32'].flatMap((platform) => [`${platform}-x64`, `${platform}-arm64`]);

test.each(Object.entries(buildOf))('%s comes with its build for each system', (_name, build) => {
  expect(systems.filter((system) => !existsSync(join(modules, build(system))))).toEqual([]);
});

test('no package runs a script at the install, where one might compile', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
  expect(globSync('{keytar,better-sqlite3}/build', { cwd: modules })).toEqual([]);
});

test('the app for both kinds of Mac takes the builds of both as they are', () => {
  // The packager takes a library that is the same in both halves for a mistake, unless this rule names it.
  const rule = /^ {2}x64ArchFiles: '(.*)'$/m.exec(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))?.[1] ?? '';
  const builds = ['darwin-x64', 'darwin-arm64'].flatMap((system) => [
    ...Object.values(buildOf).map((build) => build(system)),
    `@img/sharp-${system}/lib/sharp-${system}.node`,
    `@img/sharp-libvips-${system}/lib/libvips.dylib`,
  ]);
  const unpacked = 'Contents/Resources/app.asar.unpacked/node_modules';
  expect(builds.filter((path) => !matchesGlob(`${unpacked}/${path}`, rule))).toEqual([]);
});

test('the Debian package brings the command: the packager’s own script links it, and nothing replaces that', () => {
  const template = readFileSync(join(modules, 'app-builder-lib/templates/linux/after-install.tpl'), 'utf8');
  expect(template).toContain("'/usr/bin/${executable}'");
  expect(readFileSync(join(root, 'electron-builder.yml'), 'utf8')).not.toContain('afterInstall');
});

test('the installers bring Chromium’s own texts in every language of the app, and in no other', () => {
  const named = /^electronLanguages: \[(.*)\]$/m.exec(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))?.[1];
  // Chromium has some by country: pt-BR, pt-PT.
  expect(named?.split(', ').map((name) => name.split('-')[0])).toEqual(languageCodes);
});
