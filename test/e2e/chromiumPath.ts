import { existsSync } from 'node:fs';

const whole = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/**
 * Pages and nothing around them: it starts in less than half the time, and the tests start hundreds. The program itself, as
 * the one on the path is a shell script that stays its parent, and would be killed in its place.
 */
const headless = '/usr/lib/chromium/chromium-headless-shell';

const found = (candidates: readonly string[]): string => {
  const path = process.env['CHROMIUM'] ?? candidates.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error('There is no Chromium here; install one, or name it in CHROMIUM.');
  return path;
};

/** The browser of this machine that starts soonest, or the one that `CHROMIUM` names: nothing is downloaded for a test. */
export const chromiumPath = (): string => found([headless, ...whole]);

/** A browser with everything that Electron brings up as well, for what measures starts. */
export const wholeChromiumPath = (): string => found(whole);

/**
 * Has a browser of tests draw and load in its own process: two processes fewer with each start, and none to hand over to
 * whatever a page loads. What its pages show is the same.
 */
export const fewProcesses = ['--in-process-gpu', '--enable-features=NetworkServiceInProcess2'];
