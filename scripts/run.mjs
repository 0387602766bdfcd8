// Runs a command of the project: `node scripts/run.mjs start|test|test:all|check|check:code|build|practice|bench|crashes|malice|mutants|soak|clients|docs|texts|measure|mcpb|pack|cli [arguments]`.
// Works on any Node from 18 without dependencies, because it installs the dependencies.
import { build } from './launcher/build.mjs';
import { installDependencies, installTools } from './launcher/installDependencies.mjs';
import { installPackages } from './launcher/installPackages.mjs';
import { runCli } from './launcher/runCli.mjs';
import { root } from './launcher/root.mjs';
import { allocatorLimits, runNode } from './launcher/runNode.mjs';

/** Checks without tests, in two parallel lanes: the linter takes as long as all other checks together. */
const checks = [
  [['node_modules/eslint/bin/eslint.js', '.']],
  [
    ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
    ['node_modules/knip/bin/knip.js', '--no-progress'],
    [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'test',
    ],
  ],
];

/** Uses the memory settings of the app, so that the soak test does not measure memory that glibc retains. */
const soak = (args) => runNode(['--expose-gc', 'test/slow/soak/index.ts', ...args], { env: allocatorLimits });

/** Measures the programs that users run. */
const builtPrograms = { COMPANION_BUILT: root };

/** Loaded on demand, because commands that do not need it start faster. */
const runTests = async (...asked) => (await import('./launcher/runTests.mjs')).runTests(...asked);
const startCompanion = async (args) => (await import('./launcher/startCompanion.mjs')).startCompanion(args);
const findUsedFiles = async (args) => (await import('./launcher/testFiles.mjs')).findUsedFiles(args);

/** Returns the exit code of the first command that fails, or 0. */
const runInTurn = async (commands) => {
  for (const command of commands) {
    const code = await runNode(command);
    if (code !== 0) return code;
  }
  return 0;
};

const checkCode = async () => (await Promise.all(checks.map(runInTurn))).find((code) => code !== 0) ?? 0;

const check = async () => (await checkCode()) || runTests([]);

const commands = {
  start: { run: startCompanion },
  test: { packages: 'tests', files: findUsedFiles, run: (args) => runTests(args) },
  'test:all': { packages: 'tests', files: findUsedFiles, run: (args) => runTests(args, { isWhole: true }) },
  check: { packages: 'tests', files: () => findUsedFiles([]), run: check },
  'check:code': { run: checkCode },
  build: { run: () => build({ always: true }) },
  practice: { run: (args) => runNode(['src/practice/cli.ts', ...args]) },
  bench: { packages: 'bench', run: (args) => build() || runNode(['bench/index.ts', ...args], { env: builtPrograms }) },
  crashes: { run: (args) => runNode(['test/slow/crashes/index.ts', ...args]) },
  malice: { run: (args) => runNode(['test/slow/malice/index.ts', ...args]) },
  mutants: { packages: 'tests', run: (args) => runNode(['test/slow/mutants/index.ts', ...args]) },
  soak: { run: soak },
  clients: { run: (args) => build() || runNode(['test/slow/clients/index.ts', ...args]) },
  docs: { run: (args) => runNode(['scripts/makeDocs.mjs', ...args]) },
  measure: { run: (args) => runNode(['scripts/measureTree.mjs', ...args]) },
  texts: { run: (args) => runNode(['scripts/makeTextTypes.mjs', ...args]) },
  mcpb: { run: (args) => runNode(['scripts/packMcpb.mjs', ...args]) },
  pack: { run: (args) => runNode(['scripts/packNpm.mjs', ...args]) },
  // npm changes into the project's folder, but paths are relative to the folder of the person.
  cli: { run: (args) => runCli(args, process.env['INIT_CWD']) },
};

const main = async ([name = 'start', ...args]) => {
  const command = commands[name];
  if (command === undefined) {
    console.error(`There is no command "${name}"; use one of ${Object.keys(commands).join(', ')}.`);
    return 2;
  }
  const files = await command.files?.(args);
  if (command.packages) installPackages(command.packages, files);
  if (!installDependencies()) return 1;
  if (files?.includes('test/helpers/toolPath.ts')) installTools();
  return command.run(args);
};

process.exitCode = await main(process.argv.slice(2));
