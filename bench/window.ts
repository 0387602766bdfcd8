import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import sharp from 'sharp';
import * as z from 'zod';
import { chromium, type Browser, type Page, type Response } from 'playwright';
import type { Scenario } from '../test/helpers/fakes/fakeCompanion.ts';
import { serveRenderer } from '../test/helpers/fakes/serveRenderer.ts';
import { createShotFolder, createShots } from '../test/helpers/photos/createShotFolder.ts';
import { addManyItemsTo, readAccount } from '../test/helpers/manyItems.ts';
import { findChromium } from '../test/e2e/findChromium.ts';
import { against, againstLimit, compare, type Compared } from './compare.ts';
import { reloadWithItems, withEmptyShop } from './emptyShop.ts';
import { scrollPage, watchPage } from './watchPage.ts';

const scrollMs = 10_000;
type Served = Awaited<ReturnType<typeof serveRenderer>>;

const open = async (browser: Browser, served: Served, hash: string, scenario: Scenario): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript((given) => {
    window.scenario = given;
  }, scenario);
  await page.addInitScript({ content: served.fake });
  await page.goto(served.url + hash);
  return page;
};

const nth = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

const scrolling = async (page: Page, what: string): Promise<Compared[]> => {
  const frames = await scrollPage(page, scrollMs);
  await page.close();
  return [
    against(`${what}, scrolled for 10 s: the usual frame`, 'ms', nth(frames, 0.5), '60 a second (limit)', 1_000 / 60),
    againstLimit(`${what}, scrolled for 10 s: the longest frame`, 'ms', nth(frames, 1), 50),
  ];
};

const untilReady = async (browser: Browser, served: Served): Promise<number> => {
  const page = await open(browser, served, '#/', {});
  await page.getByRole('listitem').first().waitFor();
  const ms = await page.evaluate(() => performance.now());
  await page.close();
  return ms;
};
const untilText = async (browser: Browser): Promise<number> => {
  const page = await browser.newPage();
  await page.goto('data:text/html,<p>Hello');
  await page.getByText('Hello').waitFor();
  const ms = await page.evaluate(() => performance.now());
  await page.close();
  return ms;
};

const scriptOfFirstScreen = async (browser: Browser, served: Served): Promise<number> => {
  const page = await browser.newPage();
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response);
  });
  // Prevents preloading in idle time, because the first screen does not need the preloaded scripts.
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  await page.addInitScript({ content: served.fake });
  await page.goto(served.url);
  // The first item opens by itself, so its fields are part of the first screen.
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await page.waitForLoadState('networkidle');
  const bodies = await Promise.all(scripts.map((script) => script.body()));
  await page.close();
  return bodies.reduce((bytes, body) => bytes + gzipSync(body).length, 0) / 1_000;
};

/** Returns the longest frame in ms while a folder is chosen on a page that has only a file field. */
const barePick = async (browser: Browser, folder: string): Promise<number> => {
  const page = await browser.newPage();
  await page.goto('data:text/html,<input type=file webkitdirectory multiple>');
  const longest = await watchPage(page);
  await page.locator('input').setInputFiles(folder);
  // The second frame begins after the blocked frame has ended.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const { frame } = await longest();
  await page.close();
  return frame;
};

const night = { folders: 60, photos: 5, keys: 60 };

/** All in ms. `empty` is the longest frame of a page without content in the same seconds. */
type Night = { firstRow: number; picked: number; bare: number; frame: number; empty: number; key: number };

/** Measures 300 photos in 60 folders that are added at once while the person moves through the list with the keyboard. */
const measureNight = (browser: Browser): Promise<Night> =>
  withEmptyShop(browser, async ({ host, root }) => {
    const { page } = host;
    const folder = join(root, 'card');
    for (let at = 1; at <= night.folders; at += 1)
      await createShotFolder(folder, `thing ${at}`, createShots([night.photos]));
    const bare = await barePick(browser, folder);
    const emptyPage = await browser.newPage();
    const longestOfEmpty = await watchPage(emptyPage);
    const longest = await watchPage(page);
    const from = performance.now();
    await host.dropFolder(folder);
    await page.getByRole('listitem', { name: /thing/ }).first().waitFor();
    const firstRow = performance.now() - from;
    const { frame: picked } = await longest();
    await longestOfEmpty();
    for (let at = 0; at < night.keys; at += 1) {
      await page.keyboard.press(at % 6 === 5 ? 'k' : 'j');
      await sleep(250);
    }
    const { frame, key } = await longest();
    const { frame: empty } = await longestOfEmpty();
    await emptyPage.close();
    return { firstRow, picked, bare, frame, empty, key };
  });

/** The time of one frame in ms, at 60 frames a second. */
const oneFrame = 17;

/**
 * The figures are medians of three runs, because the photos use all processors and one run can contain a wait for one. An
 * empty page waits as long, so the limit of a frame is 50 ms, or one frame more than the empty page needed.
 */
const throughTheNight = async (browser: Browser): Promise<Compared[]> => {
  const nights: Night[] = [];
  for (let round = 0; round < 3; round += 1) nights.push(await measureNight(browser));
  const middle = (name: keyof Night): number =>
    nth(
      nights.map((one) => one[name]),
      0.5,
    );
  const what = `${night.folders * night.photos} photos in ${night.folders} folders come in`;
  // Both frames are of the same seconds, so they are of one run.
  const { frame = NaN, empty = NaN } = nights.toSorted((one, other) => one.frame - other.frame)[1] ?? {};
  return [
    againstLimit(`${what}: the first row stands there`, 'ms', middle('firstRow'), 1_000),
    against(
      `${what}: the longest frame until then`,
      'ms',
      middle('picked'),
      'a page with the file field alone',
      middle('bare'),
    ),
    againstLimit(`${what}: the longest frame from then on`, 'ms', frame, Math.max(50, empty + oneFrame)),
    against(`${what}: the same frame`, 'ms', frame, 'an empty page in the same seconds', empty),
    againstLimit(`${what}: the slowest key`, 'ms', middle('key'), 100),
  ];
};

/** Measures the list of the items while the person types into its search field. Every key asks for another list. */
const filtering = async (page: Page, what: string): Promise<Compared[]> => {
  const field = page.getByRole('textbox', { name: 'Find an item' });
  await field.focus();
  const longest = await watchPage(page);
  for (const key of 'camera no. 77') {
    await page.keyboard.press(key);
    await sleep(250);
  }
  await page
    .getByRole('listitem', { name: /no\. 77/ })
    .first()
    .waitFor();
  const { frame, key } = await longest();
  await field.fill('');
  return [
    againstLimit(`${what}, filtered: the longest frame`, 'ms', frame, 50),
    againstLimit(`${what}, filtered: the slowest key`, 'ms', key, 100),
  ];
};

/** Measures a window with many items, of which the practice service has written one. */
const withItems = (
  browser: Browser,
  count: number,
  measure: (page: Page, dataDir: string) => Promise<Compared[]>,
): Promise<Compared[]> =>
  withEmptyShop(browser, async ({ host, root, dataDir }) => {
    await createShotFolder(root, 'red fox', createShots([4]));
    await host.dropFolder(join(root, 'red fox'));
    await host.page.getByRole('textbox', { name: 'Title' }).waitFor();
    addManyItemsTo(dataDir, readAccount(dataDir), count);
    return measure(host.page, dataDir);
  });

/** Gives each photo a thumbnail of its own colour. */
const addThumbnails = async (dataDir: string): Promise<void> => {
  const folder = join(dataDir, 'thumbnails of the bench');
  await mkdir(folder);
  const db = new Database(join(dataDir, 'companion.db'));
  const photoIds = z.array(z.string()).parse(db.prepare('select photo_id from photos').pluck().all());
  const change = db.prepare('update photos set thumb_path = ? where photo_id = ?');
  for (const [at, photoId] of photoIds.entries()) {
    const path = join(folder, `${photoId}.jpg`);
    const background = { r: (at * 37) % 256, g: (at * 59) % 256, b: (at * 83) % 256 };
    await sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .jpeg()
      .toFile(path);
    change.run(path, photoId);
  }
  db.close();
};

/** Measures the whole host: the fake companion runs in the page and would need the frames that are measured. */
const fourHundredItems = (browser: Browser): Promise<Compared[]> =>
  withItems(browser, 400, async (page, dataDir) => {
    await addThumbnails(dataDir);
    await page.getByRole('listitem').getByRole('link').first().click();
    await reloadWithItems(page);
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    return scrolling(page, '400 items with their photos');
  });

const tenThousandItems = (browser: Browser): Promise<Compared[]> =>
  withItems(browser, 10_000, async (page) => {
    await reloadWithItems(page);
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    return [...(await filtering(page, '10,000 items')), ...(await scrolling(page, '10,000 items'))];
  });

export const benchWindow = async (): Promise<Compared[]> => {
  const served = await serveRenderer();
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? findChromium() });
  try {
    const figures = [
      await compare(
        { what: 'first screen ready (goal under 1,000)', unit: 'ms', peer: 'a page with one line of text' },
        () => untilReady(browser, served),
        () => untilText(browser),
      ),
      againstLimit('script of the first screen, gzipped', 'kB', await scriptOfFirstScreen(browser, served), 350),
    ];
    const listings = await open(browser, served, '#/listings', { listings: 100_000 });
    await listings.getByText('100,000 listings').waitFor();
    figures.push(...(await scrolling(listings, '100,000 listings')));
    figures.push(...(await fourHundredItems(browser)));
    figures.push(...(await tenThousandItems(browser)));
    figures.push(...(await throughTheNight(browser)));
    return figures;
  } finally {
    await browser.close();
    served.close();
  }
};
