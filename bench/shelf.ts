import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { chromium, type Page } from 'playwright';
import { emptyShelf } from '../src/core/base/shelfFields.ts';
import { openMigratedDatabase } from '../src/core/storage/database.ts';
import { anyListing, createListingSearch } from '../src/core/storage/tables/listings/listingSearch.ts';
import { createListingsTable } from '../src/core/storage/tables/listings/listingsTable.ts';
import {
  createShelfTable,
  parseShelfQuery,
  type ShelfTable,
  type ShelfTarget,
} from '../src/core/storage/tables/shelfTable.ts';
import { findChromium } from '../test/e2e/findChromium.ts';
import { addManyItems, readAccount } from '../test/helpers/manyItems.ts';
import { against, againstLimit, measureMs, type Compared } from './compare.ts';
import { reloadWithItems, withEmptyShop, type EmptyShop } from './emptyShop.ts';

const count = 100_000;
const perPlace = 40;
const rounds = 40;
const maxSearchMs = 50;

const searches = [
  'place:B7',
  'place:B77',
  'place:B77 lamp',
  'sku:B77-3',
  'tag:vintage',
  'tag:"rare find"',
  'B77',
  'moth',
];

const listTags = (at: number): string[] => {
  if (at % 9 === 0) return ['vintage'];
  return at % 1_000 === 1 ? ['rare find'] : [];
};

const putOnShelf = (shelf: ShelfTable, account: string, at: number, ids: ShelfTarget): void => {
  const place = `B${Math.floor(at / perPlace)}`;
  const fields = { ...emptyShelf, place, sku: `${place}-${at % perPlace}`, tags: listTags(at) };
  shelf.change(shelf.open(account, ids, at), { ...fields, note: at === 7 ? 'moth' : null }, at);
};

/** Returns the longest of several runs, the first of which also prepares the statements. */
const measureWorst = (work: () => unknown): number =>
  Math.max(...Array.from({ length: rounds }, () => measureMs(work)));

/** The searches begin in a database that was just opened, as in a companion that was just started. */
const measureSearches = async (): Promise<Compared[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-shelf-'));
  const file = join(folder, 'companion.db');
  const filled = openMigratedDatabase(file);
  const [listings, filledShelf] = [createListingsTable(filled), createShelfTable(filled)];
  filled.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      const listingId = `lst_${at}`;
      listings.keep('a', { listingId, status: 'published', title: `desk lamp no. ${at}` }, at);
      putOnShelf(filledShelf, 'a', at, { itemId: `it_${at}`, listingId });
    }
  })();
  filled.close();
  const db = openMigratedDatabase(file);
  try {
    const { search } = createListingSearch(db, () => 'a');
    const shelf = createShelfTable(db);
    const page = { sort: 'newest', offset: 0, limit: 100 } as const;
    const limit = (what: string, work: () => unknown): Compared =>
      againstLimit(`${what} among ${count} rows, the slowest of ${rounds}`, 'ms', measureWorst(work), maxSearchMs);
    return [
      ...searches.map((q) => limit(`listings found by ${q}`, () => search({ ...anyListing, q }, page))),
      ...['place:B7', 'tag:vintage'].map((q) =>
        limit(`items found by ${q}`, () => shelf.itemIds('a', parseShelfQuery(q))),
      ),
      limit('scanned SKU found', () => shelf.withSku('a', 'b77-3')),
    ];
  } finally {
    db.close();
    await rm(folder, { recursive: true, force: true });
  }
};

const fillDataFolder = (dataDir: string): void => {
  const account = readAccount(dataDir);
  const db = new Database(join(dataDir, 'companion.db'));
  addManyItems(db, account, count);
  const shelf = createShelfTable(db);
  const ids = db.prepare('select listing_id from items where item_id = ?').pluck();
  db.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      const listingId = ids.get(`it_many_${at}`);
      putOnShelf(shelf, account, at, {
        itemId: `it_many_${at}`,
        listingId: typeof listingId === 'string' ? listingId : null,
      });
    }
  })();
  db.close();
};

/** Presses the keys of a scanner in one moment. Returns the time until the title of the item is drawn. */
const measureScan = (page: Page, at: number): Promise<number> =>
  page.evaluate(
    ([code, title]) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        for (const key of [...code, 'Enter'])
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        const isDrawn = (): boolean =>
          [...document.querySelectorAll('main h2')].some(({ textContent }) => textContent === title);
        // A timer of the frame that has the title runs when the frame is drawn.
        const onFrame = (): void =>
          void requestAnimationFrame(() => {
            if (isDrawn()) setTimeout(() => resolve(performance.now() - from));
            else onFrame();
          });
        onFrame();
      }),
    [`B${Math.floor(at / perPlace)}-${at % perPlace}`, `thing ${at}`] as const,
  );

const scans = 20;

const measureScansIn = async ({ host: { page }, dataDir }: EmptyShop): Promise<Compared[]> => {
  fillDataFolder(dataDir);
  await reloadWithItems(page);
  // The first scan also prepares statements and loads the parts of the screen.
  await measureScan(page, 6);
  await page.waitForTimeout(500);
  const times: number[] = [];
  for (let nth = 1; nth <= scans; nth += 1) {
    // These items have no listing yet, so they are drawn without a request to the service.
    times.push(await measureScan(page, nth * 4_990 + 6));
    // The keys after a scan belong to it for 100 ms.
    await page.waitForTimeout(500);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const what = `a scan among ${count} items until the item is drawn`;
  return [
    againstLimit(`${what}, median of ${scans}`, 'ms', sorted[Math.floor(scans / 2)] ?? NaN, maxSearchMs),
    against(`${what}, the slowest of ${scans}`, 'ms', sorted.at(-1) ?? NaN, 'two limits', 2 * maxSearchMs),
  ];
};

const measureScans = async (): Promise<Compared[]> => {
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? findChromium() });
  try {
    return await withEmptyShop(browser, measureScansIn);
  } finally {
    await browser.close();
  }
};

/** Searches by place, SKU and shelf words, and a scanned SKU until its item is drawn, all among 100,000 items. */
export const benchShelf = async (): Promise<Compared[]> => [...(await measureSearches()), ...(await measureScans())];
