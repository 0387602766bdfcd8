import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { quickFolder } from './quickFolder.mjs';
import { inRoot } from './root.mjs';
import { nodePath, runProgram } from './runNode.mjs';
import { argsOfRunners, wholeRunFiles } from './testFiles.mjs';
import { nothingRun, readPlaywright, readVitest } from './testReports.mjs';

const runVitest = async (args, folder) => {
  const path = join(folder, 'vitest.json');
  const flags = [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
    '--passWithNoTests',
    ...args,
  ];
  const code = await runProgram(nodePath(), [inRoot('node_modules/vitest/vitest.mjs'), ...flags]);
  return readVitest(code, path);
};

/** Electron needs a display, so a system without a display starts a virtual one. The stand-in needs no display. */
const onDisplay = (command, args) => {
  const needed =
    process.platform === 'linux' && !process.env['DISPLAY'] && existsSync(inRoot('node_modules/electron/path.txt'));
  return needed && existsSync('/usr/bin/xvfb-run') ? ['xvfb-run', ['-a', command, ...args]] : [command, args];
};

const runPlaywright = async (args, folder) => {
  const path = join(folder, 'playwright.json');
  const [command, all] = onDisplay(nodePath(), [
    inRoot('node_modules/playwright/cli.js'),
    'test',
    '--reporter=list,json',
    '--pass-with-no-tests',
    ...args,
  ]);
  const code = await runProgram(command, all, { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path, FORCE_COLOR: '0' } });
  return readPlaywright(code, path);
};

/** Specs that `npm test` runs on one host only (see playwright.config.ts). */
const sameInBothHosts = ['batch', 'fixes', 'mcp'].map((name) => `test/e2e/${name}.spec.ts`);

/** Specs that `npm test` runs as samples in the browser. */
const sampledSpecs = ['accessibility/axe', 'items/sheet', 'places'].map((name) => `test/e2e/screens/${name}.spec.ts`);

const runWhole = async (folder) => [
  await runVitest(wholeRunFiles(), folder),
  await runPlaywright(['--project=electron', ...sameInBothHosts], folder),
  await runPlaywright(['--project=screens', ...sampledSpecs], folder),
];

const runAll = async (args, folder, isWhole) => {
  if (isWhole && args.length === 0) return runWhole(folder);
  const { vitest, playwright } = argsOfRunners(args);
  const sums = [];
  if (vitest !== null) sums.push(await runVitest(vitest, folder));
  if (playwright !== null) sums.push(await runPlaywright(playwright, folder));
  return sums;
};

/** Sets how much of the large matrices runs. The runners and their workers read these variables. */
const setMatrices = (isWhole) => {
  process.env['COMPANION_MATRICES'] = isWhole ? 'whole' : 'sampled';
  process.env['COMPANION_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31));
  const how = isWhole ? 'whole, by' : 'as samples (npm run test:all runs them whole), by';
  console.log(`Large matrices are run ${how} COMPANION_SEED=${process.env['COMPANION_SEED']}.`);
};

/** Speeds up processes that tests start often. Returns a folder to remove at the end, or null. */
const makeQuick = () => {
  // Hundreds of processes and threads load the same sources. Compiled sources reduce their start time by a third.
  process.env['NODE_COMPILE_CACHE'] ??= inRoot('.tmp', 'compiled');
  // Without a fixed folder, Playwright would compile the specs again in each run.
  process.env['PWTEST_CACHE_DIR'] ??= inRoot('.tmp', 'specs');
  process.env['COMPANION_BUILT'] ??= inRoot();
  const quick = quickFolder();
  if (quick !== null) process.env['TMPDIR'] = quick;
  return quick;
};

/**
 * Builds if needed, runs the tests, and prints the failed tests and the sum. Arguments select the runner: Playwright for
 * `test/e2e`, vitest for all other tests. `isWhole` runs the large matrices completely, and without arguments only them.
 * @param {readonly string[]} args
 * @param {{ isWhole?: boolean }} [how]
 * @returns {Promise<number>}
 */
export const runTests = async (args, { isWhole = false } = {}) => {
  setMatrices(isWhole);
  const built = build();
  const quick = makeQuick();
  mkdirSync(inRoot('artefacts'), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'companion-reports-'));
  const sums = built === 0 ? await runAll(args, folder, isWhole) : [{ ...nothingRun(), failed: ['the build'] }];
  for (const path of [folder, quick]) if (path !== null) rmSync(path, { recursive: true, force: true });
  const total = (name) => sums.reduce((count, sum) => count + sum[name], 0);
  const titles = (name) => sums.flatMap((sum) => sum[name]);
  for (const title of titles('again')) console.log(`Passed only at the second try: ${title}`);
  for (const title of titles('failed')) console.log(`Failed: ${title}`);
  const [passed, failed, skipped] = [total('passed'), titles('failed').length, total('skipped')];
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 || passed === 0 ? 1 : 0;
};
