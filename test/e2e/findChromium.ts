import { existsSync } from 'node:fs';

const fullBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/**
 * This shell without browser UI starts in less than half the time, and the tests start hundreds. The path is the
 * program's own: the script in PATH stays its parent and would be killed instead of the program.
 */
const headlessShell = '/usr/lib/chromium/chromium-headless-shell';

const findInstalled = (candidates: readonly string[]): string => {
  const path = process.env['CHROMIUM'] ?? candidates.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error('There is no Chromium here; install one, or name it in CHROMIUM.');
  return path;
};

/** Returns the path that `CHROMIUM` names, else of the installed browser that starts fastest; tests download none. */
export const findChromium = (): string => findInstalled([headlessShell, ...fullBrowsers]);

/** Returns the path of a full browser, which starts everything that Electron starts, for measurements of the start. */
export const findFullBrowser = (): string => findInstalled(fullBrowsers);

/**
 * Runs GPU and network code in the browser's process. That saves two processes per start and does not change what pages
 * show.
 */
export const fewProcesses = ['--in-process-gpu', '--enable-features=NetworkServiceInProcess2'];
