import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const all = { q: '', statuses: [], site: null, from: null, to: null, minCents: null, maxCents: null };
const page = { sort: 'newest', offset: 0, limit: 100 } as const;
const titles = (q: string, more = {}): (string | null)[] =>
  world
    .companion()
    .listings.search({ ...all, q, ...more }, page)
    .rows.map(({ title }) => title);

/** A draft that the person makes at the service itself, past this companion. */
const makeElsewhere = async (title: string, price: number): Promise<string> => {
  const made = await world.perform('createListing', { body: { marketplaceId: 'MKT_US' } });
  const { listingId } = (made.state === 'done' ? made.answer : {}) as { listingId: string };
  await world.perform('updateListing', {
    params: { listingId },
    body: { title, price, description: '<p>From the attic</p>' },
  });
  return listingId;
};

test('after connecting, all listings at the service are read once and can be searched', async () => {
  world = await startWorld();
  await makeElsewhere('Blue tin robot', 2_500);
  await makeElsewhere('Grüne Öllampe', 9_900);
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
  expect(titles('robot')).toEqual(['Blue tin robot']);
  expect(titles('ollampe')).toEqual(['Grüne Öllampe']);
  expect(titles('attic tin')).toEqual(['Blue tin robot']);
  expect(titles('p')).toEqual([]);
  expect(titles('', { minCents: 5_000 })).toEqual(['Grüne Öllampe']);
  expect(titles('', { statuses: ['published', 'sold'] })).toEqual([]);
  const { total, rows } = world.companion().listings.search(all, { sort: 'cheapest', offset: 1, limit: 1 });
  expect([total, rows[0]?.priceCents]).toEqual([2, 9_900]);
});

test('a changed listing is found at once by its new words and not by its old ones', async () => {
  world = await startWorld();
  const listingId = await makeElsewhere('Blue tin robot', 2_500);
  await world.perform('updateListing', { params: { listingId }, body: { title: 'Red clockwork train' } });
  expect(titles('robot')).toEqual([]);
  expect(titles('clockw')).toEqual(['Red clockwork train']);
});

test('a listing deleted at the service disappears at the next full read, and a start soon after reads nothing', async () => {
  world = await startWorld();
  const listingId = await makeElsewhere('Blue tin robot', 2_500);
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

test('the exported table contains the search results, and no cell that a spreadsheet would run', async () => {
  world = await startWorld();
  await makeElsewhere('=HYPERLINK("https://bad.example")', 2_500);
  await makeElsewhere('Grüne Öllampe', 9_900);
  const lines = world
    .companion()
    .listings.export({ ...all, q: 'hyperlink' })
    .text.split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^listing_id,title,status,/);
  expect(lines[1]).toContain(`"'=HYPERLINK(""https://bad.example"")",draft,MKT_US,25.00,USD`);
});

test('characters that are search operators elsewhere are searched as text or find nothing', async () => {
  world = await startWorld();
  await makeElsewhere('Blue tin robot', 2_500);
  for (const odd of ['" OR 1=1 --', 'robot NEAR(tin)', '*', '(((', "'; drop table listings; --"])
    expect(Array.isArray(titles(odd))).toBe(true);
  expect(titles('*')).toEqual([]);
  expect(titles('"tin" - robot*')).toEqual(['Blue tin robot']);
});

test('the history of one listing contains only its own rows', async () => {
  world = await startWorld();
  const { listingId } = await world.asked();
  await world.yes();
  const of = (id: string) => world.companion().searchHistory.search({ q: '', limit: 50, listingId: id }).rows;
  expect(of(listingId).map(({ kind }) => kind)).toContain('approval.answer');
  expect(of('lst_other')).toEqual([]);
});

test('a bulk edit can be undone after a restart, as far as it was applied', async () => {
  world = await startWorld();
  const [robot, lamp, fox] = [
    await makeElsewhere('Blue tin robot', 2_500),
    await makeElsewhere('Brass lamp', 9_900),
    await makeElsewhere('Stone fox', 700),
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
  // One that changed nothing leaves the one before.
  edits().keepBulkEdit('this one', { field: 'price', rows: [] });
  expect(edits().lastBulkEdit()).toMatchObject({ field: 'title', rows: [{ old: { title: 'Robot' } }] });
  edits().forgetBulkEdits();
  expect(edits().lastBulkEdit()).toBeNull();
});
