import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const root = join(import.meta.dirname, '..', '..');
const readProjectFile = (path: string): string => readFileSync(join(root, path), 'utf8');

const step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});
const permissions = z.record(z.string(), z.string());
const job = z.object({
  needs: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  environment: z.string().optional(),
  permissions: permissions.optional(),
  steps: z.array(step).default([]),
});
const workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions,
  jobs: z.record(z.string(), job),
});
const readWorkflow = (name: string) => workflow.parse(parse(readProjectFile(`.github/workflows/${name}.yml`)));

const release = readWorkflow('release');
const tests = readWorkflow('test');
const about = z
  .object({ name: z.string(), version: z.string(), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readProjectFile('package.json')));
const listSteps = ({ jobs }: typeof release) => Object.values(jobs).flatMap(({ steps }) => steps);
const steps = [release, tests].flatMap(listSteps);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a release starts only from a version tag, and no workflow uses pull_request_target', () => {
  expect(release.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
  expect(Object.keys(tests.on).sort()).toEqual(['pull_request', 'push', 'schedule', 'workflow_call']);
});

test('each job has minimal permissions, and jobs with write access run no project code', () => {
  expect(release.permissions).toEqual({});
  expect(tests.permissions).toEqual({ contents: 'read' });
  const reading = { contents: 'read' };
  expect(Object.fromEntries(Object.entries(release.jobs).map(([name, one]) => [name, one.permissions]))).toEqual({
    version: reading,
    build: reading,
    assemble: reading,
    attest: { attestations: 'write', 'id-token': 'write' },
    draft: { contents: 'write' },
    npm: { 'id-token': 'write' },
  });
  const powerful = Object.values(release.jobs).filter((one) => Object.values(one.permissions ?? {}).includes('write'));
  const runs = powerful.flatMap((one) => one.steps);
  expect(runs.filter(({ uses }) => uses?.startsWith('actions/checkout'))).toEqual([]);
  expect(runs.flatMap(({ run = [] }) => run).map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual([
    'gh release',
    'npm publish',
  ]);
});

test('workflows use only GitHub’s own actions, pinned to commits, and leave no token behind', () => {
  const actions = steps.flatMap(({ uses = [] }) => uses);
  expect(actions.length).toBeGreaterThan(10);
  expect(actions.filter((uses) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  for (const name of ['release', 'test'])
    for (const line of readProjectFile(`.github/workflows/${name}.yml`)
      .split('\n')
      .filter((text) => text.includes('uses: actions/')))
      expect(line, name).toMatch(/ # v\d+\.\d+\.\d+$/);
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout'));
  expect(checkouts.length).toBeGreaterThan(2);
  expect(checkouts.filter((one) => one.with['persist-credentials'] !== false)).toEqual([]);
});

test('secrets are passed only as named variables, and only when a release is signed', () => {
  expect(readProjectFile('.github/workflows/release.yml')).not.toMatch(/secrets: inherit/);
  const texts = steps.flatMap(({ run = [] }) => run);
  expect(texts.filter((text) => text.includes('${{'))).toEqual([]);
  const passed = steps.flatMap(({ env }) => Object.entries(env)).filter(([, value]) => value.includes('secrets.'));
  expect(passed.map(([name]) => name)).toEqual(
    expect.arrayContaining(['CSC_LINK', 'CSC_KEY_PASSWORD', 'APPLE_ID', 'MAC_SIGNED', 'WINDOWS_SIGNED']),
  );
  const unguarded = passed.filter(
    ([, value]) => !value.includes("github.ref_type == 'tag' && ") && !/^\$\{\{ secrets\.\w+ != '' \}\}$/.test(value),
  );
  expect(unguarded).toEqual([]);
});

test('all code checks run before the tests, both locally and in the workflow', () => {
  const runs = (tests.jobs['test']?.steps ?? []).filter((one) => /^npm (run check:code|test)$/.test(one.run ?? ''));
  expect(runs.map(({ run }) => run)).toEqual(['npm run check:code', 'npm test']);
  const local = [...readProjectFile('.ci/run').matchAll(/^npm [\w: ]+(?= <)/gm)].map(([line]) => line.trim());
  expect(local).toEqual(['npm run check:code', 'npm test']);
  const checks = readProjectFile('scripts/run.mjs');
  for (const tool of ['prettier.cjs', 'eslint.js', 'tsc', 'knip.js', 'dependency-cruiser.mjs'])
    expect(checks).toMatch(new RegExp(`node_modules/[\\w./-]+/${tool.replace('.', '\\.')}'`));
});

test('the whole matrices run each night and before a release', () => {
  const whole = tests.jobs['test']?.steps.filter(({ run }) => run === 'npm run test:all');
  expect(whole?.map((one) => one.if)).toEqual(["github.event_name == 'schedule' || github.ref_type == 'tag'"]);
});

test('the photo process uses the same version of Node on every system', () => {
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readProjectFile('package.json')));
  const nodes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
  expect(nodes).toHaveLength(5);
  expect(new Set(nodes.map(([, version]) => version)).size).toBe(1);
});

test('every command that the workflows run exists', () => {
  const texts = steps.flatMap(({ run = [] }) => run).join('\n');
  const scripts = [...texts.matchAll(/npm run (?:--silent |-s )?([\w:]+)/g)].map(([, name = '']) => name);
  expect(scripts).toEqual(expect.arrayContaining(['build', 'pack', 'sbom', 'test:all']));
  expect(scripts.filter((name) => !(name in about.scripts))).toEqual([]);
  const files = [...texts.matchAll(/node ((?:scripts|node_modules)\/[\w./-]+)/g)].map(([, path = '']) => path);
  expect(files).toContain('scripts/prepareRelease.mjs');
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const commands = [...texts.matchAll(/scripts\/run\.mjs ([\w:]+)/g)].map(([, name = '']) => name);
  expect(commands).toEqual(['mcpb']);
  expect(readProjectFile('scripts/run.mjs')).toMatch(/^ {2}mcpb: /m);
});

const builder = z
  .object({
    artifactName: z.string(),
    directories: z.object({ output: z.string() }),
    linux: z.object({ target: z.array(z.string()) }),
    mac: z.object({ target: z.array(z.object({ target: z.string(), arch: z.string() })) }),
    win: z.object({ target: z.string() }),
  })
  .parse(parse(readProjectFile('electron-builder.yml')));

/** Returns the packager's name for the processor in a file name. */
const getArchName = (ext: string) => ({ AppImage: 'x86_64', deb: 'amd64' })[ext] ?? 'x64';

/** The file names of the installers that electron-builder.yml describes. */
const installers = [
  ...builder.linux.target.map((ext) => ['linux', getArchName(ext), ext] as const),
  ...builder.mac.target.map(({ target, arch }) => ['mac', arch, target] as const),
  ['win', getArchName('exe'), builder.win.target === 'nsis' ? 'exe' : builder.win.target] as const,
].map(([os, arch, ext]) =>
  Object.entries({ name: about.name, version: about.version, os, arch, ext }).reduce(
    (text, [name, value]) => text.replace(`\${${name}}`, value),
    builder.artifactName,
  ),
);
const updates = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml'];
const packed = ['tgz', 'mcpb', 'cdx.json'].map((ext) => `${about.name}-${about.version}.${ext}`);
const prepareRelease = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [join(root, 'scripts/prepareRelease.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
const tag = `v${about.version}`;

test('the workflow uploads every installer but no internal files of the packager', () => {
  expect(installers).toHaveLength(5);
  const upload = listSteps(tests).find((one) => String(one.with['name']).startsWith('installers-'));
  const patterns = z.string().parse(upload?.with['path']).trim().split('\n');
  const isTaken = (name: string) =>
    patterns.some((pattern) => matchesGlob(`${builder.directories.output}/${name}`, pattern));
  expect([...installers, ...updates].filter((name) => !isTaken(name))).toEqual([]);
  expect(['builder-debug.yml', 'builder-effective-config.yaml'].filter(isTaken)).toEqual([]);
  // GitHub renames files with other characters, and an update would then not find them.
  expect(installers.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([]);
});

test('a tag that differs from the project’s version is refused', () => {
  expect(prepareRelease([tag])).toMatchObject({ status: 0, stderr: '' });
  const other = prepareRelease(['v99.0.0']);
  expect(other.status).toBe(1);
  for (const path of ['package.json', 'server.json', 'resources/mcpb/manifest.json'])
    expect(other.stderr).toContain(`The tag is v99.0.0, but ${path} says ${about.version}.`);
});

test('an incomplete release is refused; a complete release gets checksums and notes', () => {
  const whole = join(folder, 'whole');
  mkdirSync(whole);
  const names = [...installers, ...updates, ...packed];
  for (const name of names.slice(1)) writeFileSync(join(whole, name), `bytes of ${name}`);
  expect(prepareRelease([tag, whole])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `The release lacks ${names[0] ?? ''}.\n`,
  });
  expect(readdirSync(whole)).not.toContain('SHA256SUMS');

  writeFileSync(join(whole, names[0] ?? ''), 'bytes');
  const notes = prepareRelease([tag, whole], { MAC_SIGNED: 'false', WINDOWS_SIGNED: 'true' });
  expect(notes.status).toBe(0);
  expect(notes.stdout).toContain('The app for macOS is not signed');
  expect(notes.stdout).toContain('The app for Windows is signed.');
  expect(notes.stdout).toContain('### Added');
  const lines = names.map((name) => {
    const digest = createHash('sha256').update(readFileSync(join(whole, name)));
    return `${digest.digest('hex')}  ${name}`;
  });
  expect(readFileSync(join(whole, 'SHA256SUMS'), 'utf8').trim().split('\n').sort()).toEqual(lines.sort());
});

test('a plain npm pack fails and names the command to use instead', () => {
  const project = mkdtempSync(join(folder, 'project-'));
  for (const file of ['package.json', '.npmrc']) cpSync(join(root, file), join(project, file));
  const plain = spawnSync('npm', ['pack', '--ignore-scripts=false'], {
    cwd: project,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect(plain.status).not.toBe(0);
  expect(plain.stderr).toContain('Use npm run pack: it builds the app before it packs it.');
  expect(readdirSync(project).sort()).toEqual(['.npmrc', 'package.json']);
});
