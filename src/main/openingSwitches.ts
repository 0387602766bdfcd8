/** Those of Chromium and Node by which another program looks into this one, or which take a wall around its pages away. */
const names = [
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'browser-subprocess-path',
  'custom-devtools-frontend',
  'debug',
  'debug-brk',
  'debug-port',
  'disable-extensions-except',
  'disable-site-isolation-for-policy',
  'disable-site-isolation-trials',
  'disable-web-security',
  'gpu-launcher',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-port',
  'inspect-publish-uid',
  'inspect-wait',
  'js-flags',
  'load-component-extension',
  'load-extension',
  'remote-allow-origins',
  'remote-debugging-address',
  'remote-debugging-io-pipes',
  'remote-debugging-pipe',
  'remote-debugging-port',
  'remote-debugging-socket-name',
  'remote-debugging-targets',
  'renderer-cmd-prefix',
  'single-process',
  'unsafely-treat-insecure-origin-as-secure',
  'utility-cmd-prefix',
  'zygote-cmd-prefix',
];
const kin = /^(inspect|remote-debugging|remote-allow)/;

/** Chromium takes one dash for two, and on Windows any case. */
const nameOf = (arg: string): string | null => /^--?([^=]+)/.exec(arg)?.[1]?.toLowerCase() ?? null;

/**
 * The first switch of a command line that would open the app to other programs of this machine; null where there is none.
 * There is no fuse against most of them. `hasSwitch` knows what Chromium has read, in whatever way it was written.
 */
export const openingSwitch = (argv: readonly string[], hasSwitch: (name: string) => boolean): string | null => {
  const end = argv.indexOf('--');
  const given = argv.slice(0, end === -1 ? argv.length : end).map(nameOf);
  return (
    given.find((name) => name !== null && (names.includes(name) || kin.test(name))) ?? names.find(hasSwitch) ?? null
  );
};
