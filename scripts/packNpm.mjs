// Packs the built app as an npm package: `npm run pack [FOLDER]`. Only packages that are not bundled remain dependencies.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './launcher/build.mjs';
import { inRoot } from './launcher/root.mjs';

const readPackage = async () => JSON.parse(await readFile(inRoot('package.json'), 'utf8'));

/** Fields for development only. The project itself is `private`, so that it cannot be published, but its package is not. */
const ofDevelopment = ['devDependencies', 'scripts', 'private'];
const without = (record, names) => Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** npm accepts provenance only if `repository` names the repository that built the package. */
const builtIn = ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }) =>
  server && name ? { repository: { type: 'git', url: `git+${server}/${name}.git` } } : {};

/** Returns package.json of the installed package, without development fields, a bundled Node and the updater. */
const installedPackage = (about) => ({
  ...without(about, ofDevelopment),
  ...builtIn(process.env),
  engines: { node: '^22.22.0 || ^24.13.0 || >=25.3.0' },
  dependencies: without(about.dependencies, ['electron-updater']),
  optionalDependencies: { keytar: about.optionalDependencies.keytar },
});

const copyInto = async (folder, { files }) => {
  for (const path of [...files, 'LICENSE', 'README.md'])
    await cp(inRoot(path), join(folder, path), { recursive: true });
};

const npmPack = (folder, to) => {
  const npm = process.env['npm_execpath'];
  const args = ['pack', folder, '--pack-destination', to, '--loglevel=error'];
  return npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { encoding: 'utf8' })
    : spawnSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' });
};

const pack = async (to) => {
  const about = await readPackage();
  const folder = await mkdtemp(join(tmpdir(), 'npm-package-'));
  try {
    await copyInto(folder, about);
    await writeFile(join(folder, 'package.json'), `${JSON.stringify(installedPackage(about), null, 2)}\n`);
    await mkdir(to, { recursive: true });
    const packed = npmPack(folder, to);
    if (packed.status !== 0) throw new Error(`${packed.stdout ?? ''}${packed.stderr ?? ''}`.trim());
    return join(to, packed.stdout.trim().split('\n').at(-1) ?? '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const failed = build();
if (failed === 0)
  console.log(await pack(resolve(process.env['INIT_CWD'] ?? '.', process.argv[2] ?? inRoot('artefacts/npm'))));
process.exitCode = failed;
