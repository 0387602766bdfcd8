import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { inRoot } from './root.mjs';
import { nodePath, runProgram } from './runNode.mjs';

const nothing = { passed: 0, failed: 0, skipped: 0 };

const readReport = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null);

/** A file that did not even load has no tests, and counts as one that failed. */
const vitestCounts = (report) => ({
  passed: report.numPassedTests,
  failed:
    report.numFailedTests +
    report.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
    ).length,
  skipped: report.numPendingTests + report.numTodoTests,
});

const playwrightCounts = ({ stats, errors }) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected + errors.length,
  skipped: stats.skipped,
});

/** What a run counted; a run that failed without saying what failed counts as one failure. */
const counted = (code, report, counts) => {
  const sum = report === null ? nothing : counts(report);
  return code !== 0 && sum.failed === 0 ? { ...sum, failed: 1 } : sum;
};

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
  return counted(code, readReport(path), vitestCounts);
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
  return counted(code, readReport(path), playwrightCounts);
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
 * Builds when needed, runs the tests, and prints the sum as the last line. Arguments go to the runner of the tests
 * that they name: the browser's for `test/e2e`, otherwise vitest, without the browser's tests.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export const runTests = async (args) => {
  const built = build();
  mkdirSync(inRoot('artefacts'), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'companion-reports-'));
  const sums = built === 0 ? await runAll(args, folder) : [{ ...nothing, failed: 1 }];
  rmSync(folder, { recursive: true, force: true });
  const sum = (name) => sums.reduce((total, counts) => total + counts[name], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 || passed === 0 ? 1 : 0;
};
