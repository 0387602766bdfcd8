import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  parseSecondInstanceRequest,
  parseOpenRequest,
  createOpenRequestQueue,
  findLinkPath,
  needsRequestFile,
  writeOpenRequestFile,
  removeStaleRequestFiles,
  resolveOpenRequest,
} from '../../../src/main/openRequests/openRequests.ts';
import { parseElectronCommandLine } from '../../../src/main/commandLine.ts';

test.each([
  ['listing-companion://items', '/'],
  ['listing-companion://items/', '/'],
  ['listing-companion://items/it_1f-2', '/items/it_1f-2'],
  ['listing-companion://listings', '/listings'],
  ['listing-companion://listings/lst_4f', '/listings/lst_4f'],
  ['listing-companion://insights', '/insights'],
  ['listing-companion://approvals', '/approvals'],
  ['listing-companion://assistants', '/assistants'],
  ['listing-companion://settings?anything=1#else', '/settings'],
  ['listing-companion://account', '/account'],
  ['listing-companion://selling', '/selling'],
  ['listing-companion://notifications', '/notifications'],
  ['listing-companion://help', '/help'],
  ['listing-companion://', null],
  ['listing-companion:settings', null],
  ['listing-companion://publish/it_1', null],
  ['listing-companion://approvals/ap_1/approve', null],
  ['listing-companion://items/../settings', null],
  ['listing-companion://items/%2e%2e%2fsettings', null],
  ['listing-companion://items/"><script>', null],
  [`listing-companion://items/${'a'.repeat(101)}`, null],
  ['https://settings', null],
  ['javascript:alert(1)', null],
  ['no link', null],
])('the link "%s" opens the path: %s', (link, place) => {
  expect(findLinkPath(link)).toBe(place);
});

test('command line arguments that are not options become an open request', () => {
  const argv = [
    'electron',
    '--no-sandbox',
    '.',
    '--data',
    'mine',
    'photos',
    '--verbose',
    '/abs/shoes',
    'listing-companion://settings',
  ];
  const { parsed, given } = parseElectronCommandLine(argv, { packaged: false });
  expect(parsed).toMatchObject({ ok: true, options: { dataDir: resolve('mine'), verbose: true } });
  expect(parseOpenRequest(given, '/home/ada')).toEqual({
    paths: [resolve('/home/ada', 'photos'), resolve('/abs/shoes')],
    link: 'listing-companion://settings',
  });
});

test('an argument after "--" is not parsed as an option', () => {
  const { parsed, given } = parseElectronCommandLine(
    ['companion', '--', '--service=http://evil.example', 'file:///etc'],
    {
      packaged: true,
    },
  );
  expect(parsed).toMatchObject({ ok: true, options: { service: 'practice' } });
  expect(parseOpenRequest(given, '/').paths).toEqual([resolve('/', '--service=http://evil.example')]);
});

test('early open requests are delivered in order after the companion has started', async () => {
  const done: unknown[] = [];
  const arrivals = createOpenRequestQueue();
  arrivals.receive({ paths: ['/a'], link: null });
  arrivals.receive({ paths: [], link: 'listing-companion://settings' });
  const takes = {
    add: async (paths: string[]) => void done.push(['add', paths]),
    show: (place?: string) => void done.push(['show', place]),
    failed: () => undefined,
  };
  arrivals.deliverTo(takes);
  arrivals.receive({ paths: [], link: 'listing-companion://nowhere' });
  expect(done).toEqual([
    ['add', ['/a']],
    ['show', '/'],
    ['show', '/settings'],
    ['show', undefined],
  ]);
});

test('a failed open request is reported, and the window is still shown', async () => {
  const errors: unknown[] = [];
  const shown: unknown[] = [];
  const arrivals = createOpenRequestQueue();
  arrivals.deliverTo({
    add: () => Promise.reject(new Error('There are no photos in it.')),
    show: (place) => void shown.push(place),
    failed: (error) => void errors.push(String(error)),
  });
  arrivals.receive({ paths: ['/empty'], link: null });
  await new Promise(setImmediate);
  expect([errors, shown]).toEqual([['Error: There are no photos in it.'], ['/']]);
});

const nothing = { paths: [], link: null };

test.each([
  [{ arrival: { paths: [resolve('/a b')], link: null } }, { paths: [resolve('/a b')], link: null }],
  [{ arrival: { paths: [], link: 'listing-companion://items' } }, { paths: [], link: 'listing-companion://items' }],
  [{ arrival: { paths: ['not/whole'], link: null } }, nothing],
  [{ arrival: { paths: [7], link: null } }, nothing],
  [{ arrival: 'all of it' }, nothing],
  [undefined, nothing],
  [null, nothing],
])('the data of a second instance is validated: %j', (data, arrival) => {
  expect(parseSecondInstanceRequest(data)).toEqual(arrival);
});

const createDataFolder = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'arriving-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};
const many = { paths: Array.from({ length: 500 }, (_none, at) => resolve(`/photos/of a thing/${at}`)), link: null };

test('a large open request is passed on in a private file that is used once', () => {
  const dataDir = createDataFolder();
  expect([needsRequestFile(many.paths), needsRequestFile(many.paths.slice(0, 50))]).toEqual([true, false]);
  const path = writeOpenRequestFile(dataDir, many);
  if (process.platform !== 'win32')
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  const given = { paths: [path], link: null };
  expect(resolveOpenRequest(dataDir, given)).toEqual(many);
  expect(readdirSync(dirname(path))).toEqual([]);
  // A missing request file is an empty request and not a photo.
  expect(resolveOpenRequest(dataDir, given)).toEqual(nothing);
});

test('only a valid request file of the companion is read', () => {
  const dataDir = createDataFolder();
  const path = writeOpenRequestFile(dataDir, many);
  const beside = join(dataDir, 'given.json');
  writeFileSync(beside, JSON.stringify(many));
  for (const paths of [[beside], [path, beside], [join(dirname(path), 'other.json')]])
    expect(resolveOpenRequest(dataDir, { paths, link: null })).toEqual({ paths, link: null });
  writeFileSync(path, JSON.stringify({ paths: ['not/whole'], link: null }));
  expect(resolveOpenRequest(dataDir, { paths: [path], link: null })).toEqual(nothing);
});

test('only old request files are removed', () => {
  const dataDir = createDataFolder();
  removeStaleRequestFiles(dataDir, Date.now());
  mkdirSync(join(dataDir, 'arriving'));
  writeFileSync(join(dataDir, 'arriving', 'other.json'), '');
  const [old, fresh] = [writeOpenRequestFile(dataDir, many), writeOpenRequestFile(dataDir, many)];
  utimesSync(old, new Date(0), new Date(0));
  removeStaleRequestFiles(dataDir, Date.now());
  expect(
    readdirSync(join(dataDir, 'arriving'))
      .map((name) => join(dataDir, 'arriving', name))
      .sort(),
  ).toEqual([fresh, join(dataDir, 'arriving', 'other.json')].sort());
});

test('the command line for a restart keeps all options but not the open request', () => {
  const words = ['--no-sandbox', '.', '--data', 'mine', 'mine', '--verbose', '/abs/shoes', '--ui-port=7'];
  expect(parseElectronCommandLine(['electron', ...words], { packaged: false }).before).toEqual(
    words.filter((_word, at) => at !== 4 && at !== 6),
  );
  expect(parseElectronCommandLine(['companion', '--data', 'mine', '--', '-odd'], { packaged: true }).before).toEqual([
    '--data',
    'mine',
    '--',
  ]);
});
