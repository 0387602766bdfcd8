import { existsSync } from 'node:fs';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser of this machine, or the one that `CHROMIUM` names: nothing is downloaded for a test. */
export const chromiumPath = (): string => {
  const path = process.env['CHROMIUM'] ?? installed.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error('There is no Chromium here; install one, or name it in CHROMIUM.');
  return path;
};
