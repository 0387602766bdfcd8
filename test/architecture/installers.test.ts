import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { languageCodes } from '../../src/i18n/languages.ts';

const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');

/** The paths of the prebuilt binaries in native packages; install scripts, which could build them, do not run. */
const buildOf = {
  keytar: (system: string) => `keytar/prebuilds/${system}/keytar.node`,
  'better-sqlite3': (system: string) => `better-sqlite3/prebuilds/${system}.node`,
};
const systems = ['linux', 'darwin', 'win32'].flatMap((platform) => [`${platform}-x64`, `${platform}-arm64`]);

test.each(Object.entries(buildOf))('%s has a prebuilt binary for each system', (_name, build) => {
  expect(systems.filter((system) => !existsSync(join(modules, build(system))))).toEqual([]);
});

test('packages run no scripts when they are installed', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
  expect(globSync('{keytar,better-sqlite3}/build', { cwd: modules })).toEqual([]);
});

test('the universal Mac app keeps the native builds of both architectures', () => {
  // The packager rejects a file that is identical in both halves of the app unless this rule lists it.
  const rule = /^ {2}x64ArchFiles: '(.*)'$/m.exec(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))?.[1] ?? '';
  const builds = ['darwin-x64', 'darwin-arm64'].flatMap((system) => [
    ...Object.values(buildOf).map((build) => build(system)),
    `@img/sharp-${system}/lib/sharp-${system}.node`,
    `@img/sharp-libvips-${system}/lib/libvips.dylib`,
  ]);
  const unpacked = 'Contents/Resources/app.asar.unpacked/node_modules';
  expect(builds.filter((path) => !matchesGlob(`${unpacked}/${path}`, rule))).toEqual([]);
});

test('the Debian package uses the packager’s own script to install the command', () => {
  const template = readFileSync(join(modules, 'app-builder-lib/templates/linux/after-install.tpl'), 'utf8');
  expect(template).toContain("'/usr/bin/${executable}'");
  expect(readFileSync(join(root, 'electron-builder.yml'), 'utf8')).not.toContain('afterInstall');
});

test('the installers include Chromium’s texts for exactly the app’s languages', () => {
  const named = /^electronLanguages: \[(.*)\]$/m.exec(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))?.[1];
  // Chromium splits some languages by country: pt-BR, pt-PT.
  expect(named?.split(', ').map((name) => name.split('-')[0])).toEqual(languageCodes);
});

test('package.json names the homepage and repository, which a Debian package requires', () => {
  const about = z
    .object({ mcpName: z.string(), homepage: z.string(), repository: z.object({ type: z.string(), url: z.string() }) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const home = `https://github.com/${about.mcpName.replace('io.github.', '')}`;
  expect(about.homepage).toBe(home);
  expect(about.repository).toEqual({ type: 'git', url: `git+${home}.git` });
});

const step = z.object({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().default(''),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});
const build = z.object({ flags: z.string(), program: z.string() });
const { installers } = z
  .object({
    jobs: z.object({
      installers: z.object({
        strategy: z.object({ matrix: z.object({ include: z.array(build) }) }),
        steps: z.array(step),
      }),
    }),
  })
  .parse(parse(readFileSync(join(root, '.github/workflows/test.yml'), 'utf8'))).jobs;
const walked = '.tmp/walked';

test('the workflow starts the packed app and tests a copy of it on every system', () => {
  expect(installers.strategy.matrix.include.map(({ flags }) => flags).sort()).toEqual(['--linux', '--mac', '--win']);
  const checks = installers.steps.filter(({ run }) => run.includes('Packed.mjs'));
  expect(checks.map(({ run }) => run)).toEqual([
    '$SCREEN node scripts/startPacked.mjs "artefacts/installers/$PROGRAM"',
    `$SCREEN node scripts/walkPacked.mjs "${walked}/$PROGRAM"`,
  ]);
  expect(checks.filter((one) => one.if !== undefined)).toEqual([]);
});

/** Returns the arguments of electron-builder in a workflow step. */
const packingWords = ({ run }: z.infer<typeof step>): string[] =>
  (/npx electron-builder (.*)/s.exec(run)?.[1] ?? '').split(/[\s\\]+/).filter((word) => word !== '');

test('the packed test copy differs from the release by one fuse and is never published', () => {
  const packing = installers.steps.filter(({ run }) => run.includes('electron-builder'));
  const [released = [], copy = []] = packing.map(packingWords);
  expect(packing).toHaveLength(2);
  expect(released.filter((word) => !copy.includes(word))).toEqual([]);
  expect(copy.filter((word) => !released.includes(word))).toEqual([
    '--dir',
    '"$ARCH"',
    `-c.directories.output=${walked}`,
    '-c.electronFuses.enableNodeCliInspectArguments=true',
  ]);
  expect(released.filter((word) => word.includes('electronFuses') || word.includes('directories'))).toEqual([]);
  expect(Object.values(packing[1]?.env ?? {}).filter((value) => value.includes('secrets.'))).toEqual([]);

  const texts = ['test', 'release'].map((name) => readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8'));
  expect(texts.join('\n').match(/electronFuses/g)).toHaveLength(1);
  expect(readFileSync(join(root, 'electron-builder.yml'), 'utf8')).toContain('enableNodeCliInspectArguments: false');
  const uploads = installers.steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact'));
  const paths = uploads.flatMap((one) => z.string().parse(one.with['path']).trim().split('\n'));
  expect(paths.filter((path) => !/^artefacts\/(installers\/[\w*]+\.\w+|walk\/\*\.png)$/.test(path))).toEqual([]);
});
