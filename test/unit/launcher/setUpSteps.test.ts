import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** A fake npm that records the folder and only creates `node_modules`. */
const npm = `
const { appendFileSync, existsSync, mkdirSync } = require('node:fs');
appendFileSync(process.env.INSTALLED, process.cwd() + '\\n');
if (existsSync('offline')) { console.error('There is no network here.'); process.exit(1); }
mkdirSync('node_modules', { recursive: true });
`;

/**
 * A project with the launcher and four tests: one uses a tool, one uses the keyring. The project has no runnable code.
 */
let project: string;
const writeProjectFile = (path: string, text = ''): void => {
  mkdirSync(join(project, path, '..'), { recursive: true });
  writeFileSync(join(project, path), text);
};
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'launcher-')));
  for (const path of ['scripts/run.mjs', 'scripts/launcher'])
    cpSync(join(root, path), join(project, path), { recursive: true });
  for (const path of ['package-lock.json', 'tools/package-lock.json', 'electron.vite.config.ts', 'src/index.ts'])
    writeProjectFile(path);
  writeProjectFile('test/flows/bridge/proxied.test.ts', "import { toolPath } from '../../helpers/toolPath.ts';");
  writeProjectFile('test/helpers/toolPath.ts');
  writeProjectFile('test/flows/bridge/own.test.ts');
  writeProjectFile('test/flows/hosts/remembers.test.ts', "import { host } from '../../helpers/hosts/host.ts';");
  writeProjectFile('test/helpers/hosts/host.ts', "export { hasKeyring } from './keyring.ts';");
  writeProjectFile('test/helpers/hosts/keyring.ts');
  writeProjectFile('test/e2e/window.spec.ts');
  writeProjectFile('npm.js', npm);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/**
 * Runs a launcher command. Returns the folders in which npm installed packages, the requested system packages and the
 * output.
 */
const runLauncher = async (...args: string[]): Promise<{ folders: string[]; packages: string[]; output: string }> => {
  const installed = join(project, 'installed');
  rmSync(installed, { force: true });
  // The PATH contains neither system programs nor another npm.
  const env = { ...process.env, PATH: project, npm_execpath: join(project, 'npm.js'), INSTALLED: installed };
  const child = spawn(process.execPath, [join(project, 'scripts/run.mjs'), ...args], { cwd: project, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  const lines = existsSync(installed) ? readFileSync(installed, 'utf8').trimEnd().split('\n') : [];
  const folders = lines.map((line) => (line === project ? 'dependencies' : line.slice(project.length + 1)));
  const packages = /--no-install-recommends (.*)/.exec(output)?.[1]?.split(' ') ?? [];
  return { folders, packages, output };
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

test.each(['start', ...others, 'mcpb'])('the command %s installs the dependencies but no tools', async (command) => {
  expect((await runLauncher(command)).folders).toEqual(['dependencies']);
});

test.each(['test', 'test:all', 'check'])('the command %s installs the dependencies and the tools', async (command) => {
  expect((await runLauncher(command)).folders).toEqual(['dependencies', 'tools']);
});

test.each(['test', 'test:all'])(
  'the command %s with named files installs the tools only if a file needs tools',
  async (command) => {
    expect((await runLauncher(command, 'test/flows/bridge/own.test.ts')).folders).toEqual(['dependencies']);
    expect((await runLauncher(command, 'test/flows/bridge/proxied.test.ts')).folders).toEqual(['tools']);
  },
);

const keyring = ['dbus', 'gnome-keyring', 'libsecret-1-0'];
const browser = ['chromium-headless-shell', 'fonts-dejavu-core', 'xvfb', 'xauth'];

// The launcher requests system packages only on Debian.
test.skipIf(!existsSync('/etc/debian_version')).each([
  { args: ['test', 'test/flows/bridge/own.test.ts'], asked: [] },
  { args: ['test', 'own', '-t', 'window'], asked: [] },
  { args: ['test', 'test/e2e/window.spec.ts', '-g', 'a title'], asked: browser },
  { args: ['test:all', 'test/flows/hosts'], asked: keyring },
  { args: ['test', 'test/flows/hosts/remembers.test.ts', 'test/e2e'], asked: [...browser, ...keyring] },
  { args: ['test'], asked: [...browser, ...keyring] },
  { args: ['check'], asked: [...browser, ...keyring] },
  { args: ['build'], asked: [] },
])('the command $args requests only the system packages that its tests need: $asked', async ({ args, asked }) => {
  expect((await runLauncher(...args)).packages).toEqual(asked);
});

// The launcher has no types because it runs before the dependencies are installed.
type Launcher = {
  findUsedFiles: (args: readonly string[]) => string[];
  packageGroups: { tests: Record<string, { usedBy: string[] }> };
  choosePackages: (group: 'tests' | 'bench', files?: readonly string[]) => string[];
};
const readLauncher = async (folder: string): Promise<Launcher> => {
  const [files, packages] = (await Promise.all(
    ['testFiles.mjs', 'installPackages.mjs'].map(
      (name) => import(pathToFileURL(join(folder, 'scripts/launcher', name)).href),
    ),
  )) as [Launcher, Launcher];
  return { ...packages, ...files };
};

test.each([
  { args: ['./test/flows/bridge/proxied.test.ts:12'], uses: true },
  { args: ['test/flows/bridge'], uses: true },
  { args: ['proxied', 'own'], uses: true },
  { args: ['-t', 'a title, so that all files are read'], uses: true },
  { args: ['-t', 'own'], uses: true },
  { args: ['--bail=1'], uses: true },
  { args: ['own', '-t', 'a title'], uses: false },
  { args: ['test/e2e'], uses: false },
  { args: ['test/e2e/window.spec.ts', '--grep', 'a title'], uses: false },
])('the launcher detects from their imports whether tests need tools: $args, $uses', async ({ args, uses }) => {
  const { findUsedFiles } = await readLauncher(project);
  const absolute = args.map((arg) => (arg.startsWith('test/') ? join(project, arg) : arg));
  for (const named of [args, absolute]) expect(findUsedFiles(named).includes('test/helpers/toolPath.ts')).toBe(uses);
});

const own = await readLauncher(root);

test('a run of all tests uses every system package, and every listed path exists', () => {
  const { tests } = own.packageGroups;
  const whole = own.findUsedFiles([]);
  expect(own.choosePackages('tests', whole)).toEqual(Object.keys(tests));
  expect(own.choosePackages('tests')).toEqual(Object.keys(tests));
  expect(own.choosePackages('bench')).toContain('chromium');
  expect(whole).toContain('test/helpers/toolPath.ts');
  const paths = Object.values(tests).flatMap(({ usedBy }) => usedBy);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each([
  ['test/unit/text/csv.test.ts', []],
  ['test/unit/host/keychain.test.ts', keyring],
  ['test/unit/main/system.test.ts', ['desktop-file-utils']],
  ['test/unit/core/photos/metadata.test.ts', ['libheif-examples', 'libimage-exiftool-perl']],
  ['test/e2e/screens/find.spec.ts', browser],
])('the test file %s uses the system packages %j', (file, packages) => {
  expect(own.choosePackages('tests', own.findUsedFiles([file]))).toEqual(packages);
});

/** Texts in test files that show the use of a system package. */
const traces = {
  'dbus-run-session': 'dbus',
  'gnome-keyring-daemon': 'gnome-keyring',
  'desktop-file-validate': 'desktop-file-utils',
  'makeFixtures.mjs': 'libheif-examples',
  "'exiftool'": 'libimage-exiftool-perl',
  'font-family': 'fonts-dejavu-core',
};
const isLauncherTest = (path: string): boolean => path.startsWith('test/unit/launcher/');

test.each(Object.entries(traces))(
  'the launcher installs the package for every test that uses %s: %s',
  (trace, name) => {
    const without = own
      .findUsedFiles([])
      .filter((path) => /\.(test|spec)\.ts$/.test(path) && !isLauncherTest(path))
      .filter((path) => {
        const used = own.findUsedFiles([path]);
        const reaches = used.some((file) => readFileSync(join(root, file), 'utf8').includes(trace));
        return reaches && !own.choosePackages('tests', used).includes(name);
      });
    expect(without).toEqual([]);
  },
);

test('tools are installed again only after their lock file changes', async () => {
  await runLauncher('test');
  expect((await runLauncher('test')).folders).toEqual([]);
  writeProjectFile('tools/package-lock.json', 'changed');
  expect((await runLauncher('test')).folders).toEqual(['tools']);
});

/** A package as recorded by npm in the lock file and in node_modules. */
const locked = { version: '1.0.0', integrity: 'sha512-one' };
const forHere = { optional: true, os: [process.platform], cpu: [process.arch], ...locked };
const writeLockFile = (path: string, packages: Record<string, object>): void =>
  writeProjectFile(path, JSON.stringify({ packages }));

test('dependencies that npm has already installed are not installed again', async () => {
  const elsewhere = { ...forHere, os: [`!${process.platform}`] };
  writeLockFile('package-lock.json', { '': { name: 'project' }, one: locked, own: forHere, other: elsewhere });
  writeLockFile('node_modules/.package-lock.json', { one: locked, own: forHere });
  expect((await runLauncher('build')).folders).toEqual([]);
});

test.each([
  ['another version', { one: { ...locked, version: '1.0.1' }, own: forHere }],
  ['a package with other bytes', { one: { ...locked, integrity: 'sha512-two' }, own: forHere }],
  ['no package for this system', { one: locked }],
  ['only some packages', { own: forHere }],
])('dependencies are installed again if npm has installed %s', async (_what, there) => {
  writeLockFile('package-lock.json', { '': { name: 'project' }, one: locked, own: forHere });
  writeLockFile('node_modules/.package-lock.json', there);
  expect((await runLauncher('build')).folders).toEqual(['dependencies']);
});

test('the launcher continues if the tools cannot be installed', async () => {
  writeProjectFile('tools/offline');
  const { output } = await runLauncher('test');
  expect(output).toContain('There is no network here.');
  expect(output).toContain('The programs that tests run could not be installed; the tests that need them will fail.');
  // The build fails because the project has no runnable code.
  expect(output).toContain('Failed: the build');
});

test('the launcher stops if the dependencies cannot be installed', async () => {
  writeProjectFile('offline');
  const { folders, output } = await runLauncher('test');
  expect(folders).toEqual(['dependencies']);
  expect(output).not.toContain('Failed: the build');
});
