import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { inRoot } from './root.mjs';
import { nodePath, runProgram } from './runNode.mjs';
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

/** Electron's own binary wants a display; where there is none, a virtual one. The stand-in needs none. */
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

const isE2e = (arg) => arg.replaceAll('\\', '/').includes('test/e2e');

const runAll = async (args, folder) => {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  const sums = [];
  if (!paths.some(isE2e)) sums.push(await runVitest(args, folder));
  if (paths.length === 0 ? args.length === 0 : paths.some(isE2e)) sums.push(await runPlaywright(args, folder));
  return sums;
};

/**
 * Builds when needed, runs the tests, and prints what failed by name and the sum as the last line. Arguments go to the runner of the tests
 * that they name: the browser's for `test/e2e`, otherwise vitest, without the browser's tests.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export const runTests = async (args) => {
  const built = build();
  mkdirSync(inRoot('artefacts'), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'companion-reports-'));
  const sums = built === 0 ? await runAll(args, folder) : [{ ...nothingRun(), failed: ['the build'] }];
  rmSync(folder, { recursive: true, force: true });
  const total = (name) => sums.reduce((count, sum) => count + sum[name], 0);
  const titles = (name) => sums.flatMap((sum) => sum[name]);
  for (const title of titles('again')) console.log(`Passed only at the second try: ${title}`);
  for (const title of titles('failed')) console.log(`Failed: ${title}`);
  const [passed, failed, skipped] = [total('passed'), titles('failed').length, total('skipped')];
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 || passed === 0 ? 1 : 0;
};
