import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { defaultDataDir, parseOptions } from '../../src/host/options.ts';
import { readCommandLine } from '../../src/main/readCommandLine.ts';

const linux = { platform: 'linux', env: {}, home: '/home/ada' } as const;

test('without flags, the companion uses the platform’s data folder, its own port and the practice service', () => {
  expect(parseOptions([], linux)).toEqual({
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

test('the data folder follows the conventions of each platform', () => {
  const share = { ...linux, env: { XDG_DATA_HOME: '/data' } };
  expect(defaultDataDir(share)).toBe(join('/data', 'listing-companion'));
  expect(defaultDataDir({ platform: 'darwin', env: {}, home: '/Users/ada' })).toContain('Application Support');
  expect(defaultDataDir({ platform: 'win32', env: { APPDATA: '/roaming' }, home: '/ada' })).toContain('roaming');
});

test('every flag is read', () => {
  const argv = ['--headless', '--no-open', '--data', 'mine', '--ui-port', '81', '--bridge-port=0'];
  const parsed = parseOptions([...argv, '--service', 'http://127.0.0.1:9/api', '--keychain', 'memory'], linux);
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
])('%j is refused in a sentence that names what is wrong', (argv, word) => {
  const parsed = parseOptions(argv, linux);
  expect(parsed.ok).toBe(false);
  expect(!parsed.ok && parsed.sentence).toContain(word);
});

test('Electron’s own words on the command line are left out', () => {
  const unpackaged = readCommandLine(['electron', '--no-sandbox', '.', '--data', 'mine', '--disable-gpu'], false);
  expect(unpackaged).toMatchObject({ parsed: { ok: true, options: { dataDir: resolve('mine') } }, given: [] });
  expect(readCommandLine(['companion', '--no-sandbox', '--colour'], true).parsed.ok).toBe(false);
});
