import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** In the place of npm: writes down where it was to install, and installs nothing but the folder. */
const npm = `
const { appendFileSync, existsSync, mkdirSync } = require('node:fs');
appendFileSync(process.env.INSTALLED, process.cwd() + '\\n');
if (existsSync('offline')) { console.error('There is no network here.'); process.exit(1); }
mkdirSync('node_modules', { recursive: true });
`;

/** A project with the launcher and three tests, of which one runs a program of tools, and nothing to run. */
let project: string;
const write = (path: string, text = ''): void => {
  mkdirSync(join(project, path, '..'), { recursive: true });
  writeFileSync(join(project, path), text);
};
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'launcher-')));
  for (const path of ['scripts/run.mjs', 'scripts/launcher'])
    cpSync(join(root, path), join(project, path), { recursive: true });
  for (const path of ['package-lock.json', 'tools/package-lock.json', 'electron.vite.config.ts', 'src/index.ts'])
    write(path);
  write('test/flows/bridge/proxied.test.ts', "import { toolPath } from '../../helpers/toolPath.ts';");
  write('test/flows/bridge/own.test.ts');
  write('test/e2e/window.spec.ts');
  write('npm.js', npm);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** Runs a command of the launcher; the folders in which it had npm install, and what it said. */
const run = async (...args: string[]): Promise<{ folders: string[]; said: string }> => {
  const installed = join(project, 'installed');
  rmSync(installed, { force: true });
  // Nothing is to be found on the path: neither the system's packages nor another npm.
  const env = { ...process.env, PATH: project, npm_execpath: join(project, 'npm.js'), INSTALLED: installed };
  const child = spawn(process.execPath, [join(project, 'scripts/run.mjs'), ...args], { cwd: project, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  const lines = existsSync(installed) ? readFileSync(installed, 'utf8').trimEnd().split('\n') : [];
  return { folders: lines.map((line) => (line === project ? 'dependencies' : line.slice(project.length + 1))), said };
};

const others = [
  'build',
  'practice',
  'cli',
  'docs',
  'bench',
  'crashes',
  'malice',
  'mutants',
  'soak',
  'measure',
  'texts',
];

test.each(['start', ...others, 'mcpb'])('the command %s installs the dependencies and no tools', async (command) => {
  expect((await run(command)).folders).toEqual(['dependencies']);
});

test.each(['test', 'test:all', 'check'])('the command %s installs the tools as well', async (command) => {
  expect((await run(command)).folders).toEqual(['dependencies', 'tools']);
});

test.each(['test', 'test:all'])(
  'the command %s with files installs the tools only if one of the files needs them',
  async (command) => {
    expect((await run(command, 'test/flows/bridge/own.test.ts')).folders).toEqual(['dependencies']);
    expect((await run(command, 'test/flows/bridge/proxied.test.ts')).folders).toEqual(['tools']);
  },
);

// The launcher runs before there are types.
const usesOf = async (folder: string) =>
  (await import(pathToFileURL(join(folder, 'scripts/launcher/testFiles.mjs')).href)) as {
    useTools: (args: readonly string[]) => boolean;
  };

test.each([
  { args: ['./test/flows/bridge/proxied.test.ts:12'], uses: true },
  { args: ['test/flows/bridge'], uses: true },
  { args: ['proxied', 'own'], uses: true },
  { args: ['-t', 'a title, so that all files are read'], uses: true },
  { args: ['--bail=1'], uses: true },
  { args: ['own', '-t', 'a title'], uses: false },
  { args: ['test/e2e'], uses: false },
  { args: ['test/e2e/window.spec.ts', '--grep', 'a title'], uses: false },
])('the imports of the named tests tell whether they need tools: $args, $uses', async ({ args, uses }) => {
  const { useTools } = await usesOf(project);
  expect(useTools(args)).toBe(uses);
  expect(useTools(args.map((arg) => (arg.startsWith('test/') ? join(project, arg) : arg)))).toBe(uses);
});

test('tools are imported only by tests themselves, never by shared helpers', async () => {
  const { useTools } = await usesOf(root);
  expect(useTools(['test/architecture/openApi.test.ts'])).toBe(true);
  expect(useTools(['test/unit/launcher'])).toBe(false);
  const helpers = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name) && !/\.(test|spec)\.ts$/.test(name))
    .filter((name) => readFileSync(join(root, 'test', name), 'utf8').includes("/toolPath.ts'"));
  expect(helpers).toEqual([]);
});

test('tools are installed once, and again after their lock file changes', async () => {
  await run('test');
  expect((await run('test')).folders).toEqual([]);
  write('tools/package-lock.json', 'changed');
  expect((await run('test')).folders).toEqual(['tools']);
});

/** What npm writes down of a package: in the lock file, and of what it has installed. */
const locked = { version: '1.0.0', integrity: 'sha512-one' };
const forHere = { optional: true, os: [process.platform], cpu: [process.arch], ...locked };
const lock = (path: string, packages: Record<string, object>): void => write(path, JSON.stringify({ packages }));

test('dependencies installed by npm itself are kept', async () => {
  const elsewhere = { ...forHere, os: [`!${process.platform}`] };
  lock('package-lock.json', { '': { name: 'project' }, one: locked, own: forHere, other: elsewhere });
  lock('node_modules/.package-lock.json', { one: locked, own: forHere });
  expect((await run('build')).folders).toEqual([]);
});

test.each([
  ['another version', { one: { ...locked, version: '1.0.1' }, own: forHere }],
  ['other bytes', { one: { ...locked, integrity: 'sha512-two' }, own: forHere }],
  ['no package for this system', { one: locked }],
  ['not all packages', { own: forHere }],
])('dependencies are installed again if npm has installed %s', async (_what, there) => {
  lock('package-lock.json', { '': { name: 'project' }, one: locked, own: forHere });
  lock('node_modules/.package-lock.json', there);
  expect((await run('build')).folders).toEqual(['dependencies']);
});

test('if the tools cannot be installed, the launcher reports it and runs the other tests', async () => {
  write('tools/offline');
  const { said } = await run('test');
  expect(said).toContain('There is no network here.');
  expect(said).toContain('The programs that tests run could not be installed; the tests that need them will fail.');
  // As far as it comes in a project with nothing to run.
  expect(said).toContain('Failed: the build');
});

test('if the dependencies cannot be installed, the launcher runs no step', async () => {
  write('offline');
  const { folders, said } = await run('test');
  expect(folders).toEqual(['dependencies']);
  expect(said).not.toContain('Failed: the build');
});
