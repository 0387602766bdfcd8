import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseHostOptions } from '../../../src/host/options.ts';
import { listRestartArguments, parseElectronCommandLine } from '../../../src/main/commandLine.ts';

const linux = { platform: 'linux', env: {}, home: '/home/ada' } as const;

test('without options, the companion uses the default data folder and the practice service', () => {
  expect(parseHostOptions([], linux)).toEqual({
    ok: true,
    options: {
      headless: false,
      open: true,
      dataDir: join('/home/ada', '.local', 'share', 'listing-companion'),
      ownData: false,
      uiPort: 0,
      bridgePort: 47_800,
      service: 'practice',
      keychain: 'system',
      verbose: false,
      hidden: false,
      restore: null,
    },
  });
});

test('a data folder name that is invalid on Windows is refused only on Windows', () => {
  const windows = { platform: 'win32', env: {}, home: String.raw`C:\Users\ada` } as const;
  const getSentence = (data: string, machine: Parameters<typeof parseHostOptions>[1]): string => {
    const parsed = parseHostOptions(['--data', data], machine);
    return parsed.ok ? '' : parsed.sentence;
  };
  for (const name of [String.raw`C:\CON`, 'c:/nul.txt/mine', String.raw`C:\mine\Com1 `])
    expect(getSentence(name, windows)).toContain('devices');
  const long = `C:\\${'a'.repeat(260)}`;
  expect(getSentence(long, windows)).toContain('up to 200 characters');
  expect([
    getSentence(String.raw`C:\Console\mine`, windows),
    getSentence('/CON', linux),
    getSentence(`/${long}`, linux),
  ]).toEqual(['', '', '']);
});

test('every command line option is parsed', () => {
  const argv = ['--headless', '--no-open', '--data', 'mine', '--ui-port', '81', '--bridge-port=0'];
  const parsed = parseHostOptions([...argv, '--service', 'http://127.0.0.1:9/api', '--keychain', 'memory'], linux);
  expect(parsed).toMatchObject({
    ok: true,
    options: {
      headless: true,
      open: false,
      dataDir: resolve('mine'),
      ownData: true,
      uiPort: 81,
      bridgePort: 0,
      service: 'http://127.0.0.1:9/api',
      keychain: 'memory',
    },
  });
});

test.each([
  [['--colour', 'red'], '--colour'],
  [['here'], 'here'],
  [['--data'], '--data'],
  [['--ui-port', '70000'], '--ui-port'],
  [['--bridge-port', 'x'], '--bridge-port'],
  [['--service', 'http://shop.example/'], '--service'],
  [['--service', 'file:///etc'], '--service'],
  [['--keychain', 'paper'], '--keychain'],
])('the options %j are refused with a message that names the invalid part', (argv, word) => {
  const parsed = parseHostOptions(argv, linux);
  expect(parsed.ok).toBe(false);
  expect(!parsed.ok && parsed.sentence).toContain(word);
});

const parseDesktopArgs = (argv: readonly string[], packaged = true) =>
  parseElectronCommandLine(packaged ? ['companion', ...argv] : ['electron', '--no-sandbox', '.', ...argv], {
    packaged,
  });
const sentenceOf = (argv: readonly string[], packaged = true): string => {
  const { parsed } = parseDesktopArgs(argv, packaged);
  return parsed.ok ? '' : parsed.sentence;
};

test('Electron’s own arguments are ignored', () => {
  expect(parseDesktopArgs(['--data', 'mine', '--disable-gpu'], false)).toMatchObject({
    parsed: { ok: true, options: { dataDir: resolve('mine') } },
    given: [],
  });
});

/** Chromium options that desktops, wrappers and people add; none resembles an option of the companion. */
const chromiumOptions = [
  ...['--password-store=basic', '--use-gl=egl', '--use-angle=swiftshader', '--proxy-server=http://proxy.example:8080'],
  ...['--ozone-platform=wayland', '--ozone-platform-hint=auto', '--enable-features=UseOzonePlatform', '--disable-gpu'],
  ...['--no-sandbox', '--disable-setuid-sandbox', '--no-zygote', '--no-pings', '--no-proxy-server', '--no-first-run'],
  ...['--force-device-scale-factor=1.5', '--high-dpi-support=1', '--lang=de', '--user-data-dir=/tmp/x', '--v=1'],
  ...['--version', '--vmodule=x', '--class=Companion', '--type=renderer', '--gtk-version=4', '--test-type'],
  ...['--host-rules=x', '--hide-scrollbars', '--restore-last-session', '--service-worker', '--in-process-gpu'],
  ...['--wm-window-animations-disabled', '--enable-wayland-ime', '-psn_0_12345', '--single-instance', '--colour=red'],
];

test.each(chromiumOptions)('the desktop app accepts the Chromium option %s', (word) => {
  const { parsed, given } = parseDesktopArgs([word, '--data', 'mine', '/photos', '--hidden', word]);
  expect(parsed).toMatchObject({ ok: true, options: { dataDir: resolve('mine'), hidden: true } });
  expect(given).toEqual(['/photos']);
});

test.each([
  ['--brigde-port', '--bridge-port'],
  ['--bridge-prot=1', '--bridge-port'],
  ['--bridge', '--bridge-port'],
  ['--ui=4', '--ui-port'],
  ['--dta', '--data'],
  ['-data', '--data'],
  ['--Data=x', '--data'],
  ['--hiden', '--hidden'],
  ['--keychian', '--keychain'],
  ['--servce=practice', '--service'],
  ['--noopen', '--no-open'],
])('for the misspelt option %s, the desktop app suggests %s', (word, meant) => {
  expect(sentenceOf([word])).toContain(`${word.split('=')[0]} `);
  expect(sentenceOf([word])).toContain(`${meant}?`);
});

test('the desktop app validates the companion’s own options and shows help', () => {
  expect(sentenceOf(['--bridge-port', 'x'])).toContain('--bridge-port takes a port');
  expect(sentenceOf(['--data'])).toContain('--data');
  expect(sentenceOf(['--help'])).toContain('--bridge-port N');
  expect(sentenceOf(['-h'])).toContain('--bridge-port N');
  // After "--", every word is an argument.
  expect(parseDesktopArgs(['--', '--brigde-port', '--inspect'])).toMatchObject({
    parsed: { ok: true },
    given: ['--brigde-port', '--inspect'],
  });
});

const forbiddenOptions = [
  ...['--remote-debugging-port=9222', '--remote-debugging-port', '--remote-debugging-pipe'],
  ...['--remote-debugging-address=0.0.0.0', '--remote-allow-origins=*', '--inspect', '--inspect=0', '--inspect-brk'],
  ...['--inspect-port=1', '--inspect-wait', '--inspect-publish-uid=http', '--js-flags=--expose-gc', '--debug-port=1'],
  ...['--load-extension=/tmp/x', '--disable-web-security', '--allow-file-access-from-files', '--single-process'],
  ...['--ignore-certificate-errors', '--ignore-certificate-errors-spki-list=x', '--renderer-cmd-prefix=sh'],
  ...[
    '--utility-cmd-prefix=sh',
    '--gpu-launcher=sh',
    '--browser-subprocess-path=/tmp/x',
    '--disable-site-isolation-trials',
  ],
  ...['-remote-debugging-port=9222', '--Remote-Debugging-Port=1', '-inspect'],
];

test.each(forbiddenOptions)('the option %s is refused by the packaged app but not by a development build', (word) => {
  for (const argv of [[word], ['--data', 'mine', word], [word, '/photos']]) {
    expect(sentenceOf(argv)).toContain('other programs');
    expect(sentenceOf(argv)).toContain(word.replace(/^-+|=.*$/g, '').toLowerCase());
    expect(sentenceOf(argv, false)).toBe('');
  }
});

test('a forbidden switch in a notation that only Chromium recognizes is refused', () => {
  const hasSwitch = (name: string): boolean => name === 'remote-debugging-port';
  const { parsed } = parseElectronCommandLine(['companion', '/remote-debugging-port=1'], { packaged: true, hasSwitch });
  expect(!parsed.ok && parsed.sentence).toContain('--remote-debugging-port');
  expect(parseElectronCommandLine(['electron', '.'], { packaged: false, hasSwitch }).parsed.ok).toBe(true);
});

test.each([
  ['electron', ['electron', '--no-sandbox', '.'], false, ['--no-sandbox', '.']],
  ['the installed app', ['companion'], true, []],
])('a restart of %s shows a window and repeats neither a restore nor the folders', (_what, start, packaged, first) => {
  const given = ['--data', 'mine', '--hidden', '--restore', 'newest', 'photos', 'listing-companion://settings'];
  expect(listRestartArguments([...start, ...given], { packaged })).toEqual([...first, '--data', 'mine']);
  expect(listRestartArguments([...start, '--restore=newest', '--verbose'], { packaged })).toEqual([
    ...first,
    '--verbose',
  ]);
  expect(listRestartArguments([...start, '--', 'listing-companion://settings'], { packaged })).toEqual([
    ...first,
    '--',
  ]);
});
