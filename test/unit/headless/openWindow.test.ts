import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  getLinkFolder,
  createLinkOpener,
  openWindow,
  removeStaleLinks,
  openFileInBrowser,
} from '../../../src/headless/openWindow.ts';
import { waitUntil, createTestClock, type TestClock } from '../../helpers/testClock.ts';

const url = 'http://127.0.0.1:4711/?token=T0ken-of_this&x="><script>1</script>';
const onPosix = test.skipIf(process.platform === 'win32');
const onLinux = test.skipIf(process.platform !== 'linux');

let home: string;
let folder: string;
let clock: TestClock;
let used: PromiseWithResolvers<void>;
let opened: string[];
let shownLinkCount: number;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
  folder = getLinkFolder(home);
  clock = createTestClock();
  used = Promise.withResolvers<void>();
  opened = [];
  shownLinkCount = 0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const openTestWindow = (open: (path: string) => Promise<boolean> = async () => true) =>
  openWindow({
    link: { url, used: used.promise },
    folder,
    clock,
    heading: 'Opening…',
    label: 'Open it',
    language: 'en',
    open: async (path) => {
      opened.push(path);
      return open(path);
    },
    notShown: () => (shownLinkCount += 1),
  });
const isGone = (): boolean => !existsSync(folder);

onPosix('the link is stored in a private file, in a folder that sandboxed browsers can read', async () => {
  const { stop } = await openTestWindow();
  const [path = ''] = opened;
  expect(dirname(path)).toBe(folder);
  expect(dirname(folder)).toBe(home);
  expect(folder.slice(home.length + 1)).toMatch(/^[a-z]/i);
  expect(path).not.toMatch(/[\s%]|T0ken/);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  await stop();
  expect(isGone()).toBe(true);
});

test('the link page sends no referrer and escapes the link', async () => {
  const { stop } = await openTestWindow();
  const page = readFileSync(opened[0] ?? '', 'utf8');
  expect(page).toContain('<meta name="referrer" content="no-referrer"');
  expect(page).toMatch(/<meta http-equiv="refresh" content="0; ?url=http:\/\/127\.0\.0\.1:4711\/\?token=T0ken-of_this/);
  expect(page).not.toContain('<script>1');
  expect(page).toContain("default-src 'none'");
  await stop();
});

test('the link file is removed as soon as the page is opened', async () => {
  await openTestWindow();
  expect(readdirSync(folder)).toHaveLength(1);
  used.resolve();
  await waitUntil(isGone, 'the file to go');
  clock.advance(60_000);
  await waitUntil(() => clock.next() === null, 'all timers to end');
  expect(shownLinkCount).toBe(0);
});

test('if the page is not opened, the terminal shows the link after 10 seconds', async () => {
  await openTestWindow();
  clock.advance(9_999);
  expect([clock.next(), shownLinkCount]).toEqual([1, 0]);
  clock.advance(1);
  await waitUntil(() => shownLinkCount === 1, 'the link to be shown');
  clock.advance(49_999);
  expect(isGone()).toBe(false);
  clock.advance(1);
  await waitUntil(isGone, 'the file to go');
  expect(shownLinkCount).toBe(1);
});

test('the link file is also removed if the page is opened late', async () => {
  await openTestWindow();
  clock.advance(10_000);
  await waitUntil(() => shownLinkCount === 1, 'the link to be shown');
  used.resolve();
  await waitUntil(isGone, 'the file to go');
  expect(clock.next()).toBe(null);
});

test('the terminal shows the link at once if the browser cannot be opened', async () => {
  await openTestWindow(async () => false);
  expect(shownLinkCount).toBe(1);
  expect(isGone()).toBe(true);
  writeFileSync(folder, 'a file in its place');
  await openTestWindow();
  expect([shownLinkCount, opened.length]).toEqual([2, 1]);
  expect(readFileSync(folder, 'utf8')).toBe('a file in its place');
});

onPosix('an existing link folder is made private, and a symbolic link is not followed', async () => {
  mkdirSync(folder, { mode: 0o755 });
  chmodSync(folder, 0o755);
  const { stop } = await openTestWindow();
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  await stop();
  const elsewhere = join(home, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, folder);
  await openTestWindow();
  expect([shownLinkCount, readdirSync(elsewhere)]).toEqual([1, []]);
});

test('link files left by a crash are removed at the next start', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => ended.once('close', resolve));
  mkdirSync(folder);
  const name = (pid: number | undefined, rest: string): string => join(folder, `open-${String(pid)}-${rest}.html`);
  const [crashed, old, living] = [
    name(ended.pid, 'a'.repeat(22)),
    name(process.pid, 'b'.repeat(22)),
    name(process.pid, 'c'.repeat(22)),
  ];
  const [own] = [join(folder, 'letter.html')];
  for (const path of [crashed, old, living, own]) writeFileSync(path, '');
  const before = new Date(clock.now() - 61_000);
  utimesSync(old, before, before);
  utimesSync(own, before, before);
  await removeStaleLinks(folder, clock.now());
  expect(
    readdirSync(folder)
      .map((file) => join(folder, file))
      .sort(),
  ).toEqual([living, own].sort());
  rmSync(own);
  rmSync(living);
  writeFileSync(crashed, '');
  await removeStaleLinks(folder, clock.now());
  expect(isGone()).toBe(true);
  await removeStaleLinks(folder, clock.now());
});

/** Installs a fake xdg-open that runs this script. */
const installOpener = (script: string): string => {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'xdg-open'), `#!${process.execPath}\n${script}`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  return bin;
};

onLinux('the browser opener receives only the path of a page', async () => {
  const seen = join(home, 'seen');
  const env = {
    PATH: installOpener(`require('node:fs').writeFileSync(${JSON.stringify(`${seen}.part`)}, process.argv.slice(2).join('\\n'));
      require('node:fs').renameSync(${JSON.stringify(`${seen}.part`)}, ${JSON.stringify(seen)})`),
  };
  const page = join(home, 'page.html');
  expect(await openFileInBrowser(page, env)).toBe(true);
  expect(await waitUntil(() => (existsSync(seen) ? readFileSync(seen, 'utf8') : null), 'the opener')).toBe(page);
  for (const never of [url, 'page.html', '--help']) expect(await openFileInBrowser(never, env)).toBe(false);
  expect(await openFileInBrowser(page, { PATH: join(home, 'nowhere') })).toBe(false);
});

onLinux('a sign-in or payment address never appears in a process argument', async () => {
  const seen = join(home, 'seen');
  const env = {
    PATH: installOpener(
      `require('node:fs').appendFileSync(${JSON.stringify(seen)}, process.argv.slice(2).join('|') + '\\n')`,
    ),
  };
  const parts = {
    folder,
    clock,
    heading: 'Opening…',
    language: 'en',
    open: (path: string) => openFileInBrowser(path, env),
  };
  const links = createLinkOpener(() => parts);
  const address = 'https://shop.example/checkout?session=S3cret';
  for (const never of ['file:///etc/passwd', 'javascript:alert(1)', '--help', home]) await links.open(never);
  expect(isGone()).toBe(true);
  await links.open(address);
  const argv = await waitUntil(() => (existsSync(seen) ? readFileSync(seen, 'utf8') : ''), 'the opener');
  const [page = ''] = readdirSync(folder).map((file) => join(folder, file));
  expect(argv).toBe(`${page}\n`);
  expect(lstatSync(page).mode & 0o777).toBe(0o600);
  expect(readFileSync(page, 'utf8')).toContain(`location.replace(${JSON.stringify(address)})`);
  clock.advance(60_000);
  await waitUntil(isGone, 'the file to go');
  await links.open(address);
  expect(isGone()).toBe(false);
  await links.stop();
  expect(isGone()).toBe(true);
});
