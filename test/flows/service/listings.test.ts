import { afterEach, expect, test } from 'vitest';
import { readExport } from '../../helpers/approvals/readExport.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const all = { q: '', statuses: [], site: null, from: null, to: null, minCents: null, maxCents: null };
const page = { sort: 'newest', offset: 0, limit: 100 } as const;
const searchTitles = (q: string, more = {}): (string | null)[] =>
  world
    .companion()
    .listings.search({ ...all, q, ...more }, page)
    .rows.map(({ title }) => title);

const createListing = async (title: string, price: number): Promise<string> => {
  const made = await world.perform('createListing', { body: { marketplaceId: 'MKT_US' } });
  const { listingId } = (made.state === 'done' ? made.answer : {}) as { listingId: string };
  await world.perform('updateListing', {
    params: { listingId },
    body: { title, price, description: '<p>From the attic</p>' },
  });
  return listingId;
};

test('all listings are read after connecting and can then be searched', async () => {
  world = await startWorld();
  await createListing('Blue tin robot', 2_500);
  await createListing('Grüne Öllampe', 9_900);
  await world.stop();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${world.dataDir}/companion.db`);
  db.exec(`delete from listings; delete from listing_words; delete from settings where name like 'listings read %'`);
  db.close();
  await world.begin();
  await world.until(() => world.companion().listings.counts().sync.doneAt !== null, 'the reading of all listings');
  expect(world.companion().listings.counts()).toMatchObject({
    all: 2,
    statuses: { draft: 2 },
    sites: [{ site: 'MKT_US', count: 2 }],
  });
  expect(searchTitles('robot')).toEqual(['Blue tin robot']);
  expect(searchTitles('ollampe')).toEqual(['Grüne Öllampe']);
  expect(searchTitles('attic tin')).toEqual(['Blue tin robot']);
  expect(searchTitles('p')).toEqual([]);
  expect(searchTitles('', { minCents: 5_000 })).toEqual(['Grüne Öllampe']);
  expect(searchTitles('', { statuses: ['published', 'sold'] })).toEqual([]);
  const { total, rows } = world.companion().listings.search(all, { sort: 'cheapest', offset: 1, limit: 1 });
  expect([total, rows[0]?.priceCents]).toEqual([2, 9_900]);
});

test('the search finds a changed listing at once by its new title', async () => {
  world = await startWorld();
  const listingId = await createListing('Blue tin robot', 2_500);
  await world.perform('updateListing', { params: { listingId }, body: { title: 'Red clockwork train' } });
  expect(searchTitles('robot')).toEqual([]);
  expect(searchTitles('clockw')).toEqual(['Red clockwork train']);
});

test('a listing deleted at the service disappears at the next full read', async () => {
  world = await startWorld();
  const listingId = await createListing('Blue tin robot', 2_500);
  await world.until(() => world.companion().listings.counts().sync.doneAt !== null, 'the first reading');
  const email = world.companion().state(null).person?.email ?? '';
  const { agentKey } = await world.practice.person({ email });
  const gone = await world.practice.call(agentKey, 'DELETE', `/listings/${listingId}`);
  expect(gone.status).toBe(200);
  await world.stop();
  await world.begin();
  expect(world.companion().listings.counts()).toMatchObject({ all: 1, sync: { running: false } });
  world.clock.advance(2 * 60_000);
  world.companion().listings.readAgain();
  await world.until(() => world.companion().listings.counts().all === 0, 'the listing to go');
});

test('the exported table contains no cell that a spreadsheet would run', async () => {
  world = await startWorld();
  await createListing('=HYPERLINK("https://bad.example")', 2_500);
  await createListing('Grüne Öllampe', 9_900);
  const text = await readExport(world, ({ exportListings }) => exportListings({ ...all, q: 'hyperlink' }));
  const lines = text.split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^listing_id,title,status,/);
  expect(lines[1]).toContain(`"'=HYPERLINK(""https://bad.example"")",draft,MKT_US,25.00,USD`);
});

test('special characters in a search are not interpreted as operators', async () => {
  world = await startWorld();
  await createListing('Blue tin robot', 2_500);
  for (const odd of ['" OR 1=1 --', 'robot NEAR(tin)', '*', '(((', "'; drop table listings; --"])
    expect(Array.isArray(searchTitles(odd))).toBe(true);
  expect(searchTitles('*')).toEqual([]);
  expect(searchTitles('"tin" - robot*')).toEqual(['Blue tin robot']);
});

test('the history of one listing contains only its own rows', async () => {
  world = await startWorld();
  const { listingId } = await world.asked();
  await world.yes();
  const of = async (id: string) =>
    (await world.companion().searchHistory.search({ q: '', limit: 50, listingId: id })).rows;
  expect((await of(listingId)).map(({ kind }) => kind)).toContain('approval.answer');
  expect(await of('lst_other')).toEqual([]);
});

test('after a restart the applied rows of a bulk edit can be undone', async () => {
  world = await startWorld();
  const [robot, lamp, fox] = [
    await createListing('Blue tin robot', 2_500),
    await createListing('Brass lamp', 9_900),
    await createListing('Stone fox', 700),
  ];
  const edits = () => world.companion().listings;
  const rows = [robot, lamp, fox].map((listingId, at) => ({
    listingId,
    body: { price: 1_000 },
    old: { price: [2_500, 9_900, 700][at] },
  }));
  edits().keepBulkEdit('one before', {
    field: 'title',
    rows: [{ listingId: robot, body: {}, old: { title: 'Robot' } }],
  });
  edits().keepBulkEdit('this one', { field: 'price', rows });
  for (const listingId of [robot, lamp])
    await world.perform('updateListing', { params: { listingId }, body: { price: 1_000 } });
  await world.stop();
  await world.begin();
  expect(edits().lastBulkEdit()).toMatchObject({
    field: 'price',
    rows: [
      { row: { listingId: robot, priceCents: 1_000 }, old: { price: 2_500 } },
      { row: { listingId: lamp }, old: { price: 9_900 } },
    ],
  });
  await world.perform('updateListing', { params: { listingId: robot }, body: { price: 2_500 } });
  expect(edits().lastBulkEdit()?.rows).toMatchObject([{ row: { listingId: lamp } }]);
  // A bulk edit without rows is ignored, so the previous one remains.
  edits().keepBulkEdit('this one', { field: 'price', rows: [] });
  expect(edits().lastBulkEdit()).toMatchObject({ field: 'title', rows: [{ old: { title: 'Robot' } }] });
  edits().forgetBulkEdits();
  expect(edits().lastBulkEdit()).toBeNull();
});
