import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listing, type ListingStatus } from '../../../../src/contract/index.ts';
import { createNewsNotifier } from '../../../../src/core/notifications/news.ts';
import type { Notice } from '../../../../src/core/base/ports.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { createListingsTable } from '../../../../src/core/storage/tables/listings/listingsTable.ts';
import { createSalesTable } from '../../../../src/core/storage/tables/salesTable.ts';
import { createSettingsTable } from '../../../../src/core/storage/tables/settingsTable.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

let folder: string;
let stop: () => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'news-'));
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

const startNews = () => {
  const db = openMigratedDatabase(join(folder, 'companion.db'));
  const clock = createTestClock();
  const notices: Notice[] = [];
  const listings = createListingsTable(db);
  const itemsTable = createItemsTable(db);
  const { shelf } = itemsTable;
  const news = createNewsNotifier({
    listings,
    itemsTable,
    sales: createSalesTable(db),
    settings: createSettingsTable(db),
    clock,
    notify: (notice) => void notices.push(notice),
  });
  stop = () => {
    news.stop();
    db.close();
  };
  /** Reads the listing in each of these states in order. */
  const readInStates = (listingId: string, ...statuses: ListingStatus[]): void => {
    for (const status of statuses) {
      const read = listing.parse({ listingId, status, title: `Title of ${listingId}` });
      news.noteRead('a', read);
      listings.keep('a', read, clock.now());
    }
  };
  const advanceTime = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  const putOnShelf = (listingId: string, place: string, sku: string): void =>
    void shelf.change(shelf.open('a', { itemId: null, listingId }, 0), { place, sku }, 0);
  return { readInStates, advanceTime, notices, news, putOnShelf };
};

test('simultaneous news about several listings becomes one notification', async () => {
  const { readInStates, advanceTime, notices } = startNews();
  for (const name of ['one', 'two', 'three']) readInStates(name, 'processing', 'pending_review');
  readInStates('four', 'published', 'sold');
  await advanceTime(3_000);
  expect(notices.map(({ title, text, place }) => [title, text, place])).toEqual([
    ['3 listings are ready to review', 'Nothing is published until you say yes.', '/'],
    ['Sold', 'Title of four', '/'],
  ]);
  readInStates('five', 'processing', 'pending_review');
  await advanceTime(3_000);
  expect(notices.at(-1)).toMatchObject({ title: 'Ready to review', text: 'Title of five' });
});

test('a change that the person made to a listing causes no notification', async () => {
  const { readInStates, advanceTime, notices } = startNews();
  readInStates('new', 'pending_review');
  readInStates('same', 'pending_review', 'pending_review');
  readInStates('put back', 'failed', 'pending_review');
  readInStates('ended', 'published', 'ended');
  readInStates('relisted', 'ended', 'published');
  await advanceTime(60_000);
  expect(notices).toEqual([]);
});

test('a delayed notification is not sent after the companion has stopped', async () => {
  const { readInStates, advanceTime, notices, news } = startNews();
  readInStates('one', 'processing', 'pending_review');
  news.stop();
  await advanceTime(60_000);
  expect(notices).toEqual([]);
});

test('a notification of a sale begins with the place and the SKU', async () => {
  const { readInStates, advanceTime, notices, putOnShelf } = startNews();
  putOnShelf('fox', 'A04', 'A04-3');
  readInStates('fox', 'published', 'sold');
  await advanceTime(3_000);
  expect(notices.at(-1)).toMatchObject({ title: 'Sold', text: 'A04 · A04-3 · Title of fox' });
});

test('a notification of several sales lists the places in order and opens the pick list', async () => {
  const { readInStates, advanceTime, notices, putOnShelf } = startNews();
  putOnShelf('late', 'A10', 'A10-1');
  putOnShelf('early', 'A2', 'A2-7');
  for (const name of ['late', 'early', 'unplaced']) readInStates(name, 'published', 'sold');
  await advanceTime(3_000);
  expect(notices).toMatchObject([
    { title: '3 listings sold', text: 'A2 · A2-7, A10 · A10-1', place: '/listings/to-send' },
  ]);
});
