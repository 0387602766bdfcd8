import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAsker } from '../../helpers/assistant.ts';
import { readExport } from '../../helpers/approvals/readExport.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const publishOne = async (): Promise<void> => {
  await world.asked();
  await world.yes();
};
const exportHistory = (format: 'jsonl' | 'csv') => readExport(world, (exports) => exports.exportHistory(format));
const searchHistory = (q = '', before?: number, limit = 50) =>
  world.companion().searchHistory.search({ q, before, limit });

test('a search of the history finds the entries about a listing, newest first', async () => {
  world = await startWorld();
  await publishOne();
  const { rows, brokenAt } = await searchHistory();
  expect(brokenAt).toBeNull();
  expect(rows[0]).toMatchObject({ kind: 'approval.checked', title: 'blue shoes' });
  expect(rows[0]?.photoUrl).toMatch(/^\/.*photos\//);
  expect(rows.at(-2)?.photoUrl).toBeNull();
  expect(rows.slice(-3).map(({ kind }) => kind)).toEqual(['approval.asked', 'connection.made', 'ledger.key']);
  expect((await searchHistory('shoes')).rows).toHaveLength(rows.length - 3);
  expect((await searchHistory('100%')).rows).toEqual([]);
  expect((await searchHistory('approval.approve')).rows).toHaveLength(1);
  const [newest] = (await searchHistory('', undefined, 1)).rows;
  expect((await searchHistory('', newest?.seq, 1)).rows[0]?.seq).toBe((newest?.seq ?? 0) - 1);
});

test('a text of two signs at the end of a title is found', async () => {
  world = await startWorld();
  // Keys and ids are random. They contain any two letters now and then, but never this sign.
  const { listingId } = await world.reviewed('blue x~');
  await world.perform('publishListing', { params: { listingId } });
  const { rows } = await searchHistory('X~');
  expect(rows.length).toBeGreaterThan(0);
  expect([...new Set(rows.map(({ title }) => title))]).toEqual(['blue x~']);
});

test('the history is filtered by the person’s answer and by who asked', async () => {
  world = await startWorld();
  await publishOne();
  const { listingId } = await world.reviewed('red hat');
  const robin = pairAsker(world, 'Robin');
  const { approvals, perform, searchHistory: history } = world.companion();
  await perform({ by: robin, route: 'publishListing', input: { params: { listingId } } });
  const listStates = async (filter: object): Promise<(string | undefined)[]> => {
    const { rows } = await history.search({ q: '', limit: 50, ...filter });
    return [...new Set(rows.map(({ approval }) => approval?.state))];
  };
  expect(await listStates({ answer: 'waiting' })).toEqual(['pending']);
  expect(await listStates({ answer: 'yes' })).toEqual(['done']);
  expect(await listStates({ answer: 'no' })).toEqual([]);
  const [asked] = approvals.listPending();
  approvals.decline(asked?.approvalId ?? '', asked?.digest ?? '', 'no');
  expect(await listStates({ answer: 'no' })).toEqual(['declined']);
  // Robin's pairing has no approval.
  const robinId = robin.kind === 'assistant' ? robin.assistantId : '';
  expect(await listStates({ askerId: robinId })).toEqual(['declined', undefined]);
  expect(await listStates({ askerId: 'person' })).toEqual(['done']);
  expect((await searchHistory()).askers).toEqual([{ kind: 'person' }, robin]);
});

test('each page of the history has all fees of its days, and only of what was done', async () => {
  world = await startWorld();
  await publishOne();
  const { listingId } = await world.reviewed('red hat');
  await world.perform('publishListing', { params: { listingId } });
  const day = new Date(world.clock.now()).toLocaleDateString('sv');
  const onePublish = { day, currency: 'USD', totalMinor: 35 };
  expect((await searchHistory('', undefined, 1)).fees).toEqual([onePublish]);
  await world.yes();
  expect(await searchHistory('', undefined, 1)).toMatchObject({
    fees: [{ ...onePublish, totalMinor: 70 }],
    rows: [{ day }],
  });
  const { searchHistory: history } = world.companion();
  expect((await history.search({ q: '', limit: 1, listingId })).fees).toEqual([onePublish]);
  expect((await history.search({ q: '', limit: 50, answer: 'no' })).fees).toEqual([]);
  world.clock.advance(86_400_000);
  await world.perform('endListing', { params: { listingId } });
  await world.yes();
  expect((await searchHistory('', undefined, 1)).fees).toEqual([]);
});

test('the history can be exported as JSON lines and as CSV', async () => {
  world = await startWorld();
  await publishOne();
  const lines = (await exportHistory('jsonl')).trim().split('\n');
  const row = z.object({ seq: z.int(), previous: z.string(), hash: z.string() });
  // The last line is a summary.
  const parsed = lines.slice(0, -1).map((line) => row.parse(JSON.parse(line)));
  expect(parsed.slice(1).every(({ previous }, index) => previous === parsed[index]?.hash)).toBe(true);
  const table = (await exportHistory('csv')).split('\r\n');
  expect(table[0]).toBe('seq,at,kind,facts,previous,hash,signature');
  // The first export is a row of the second one.
  expect(table).toHaveLength(lines.length + 2);
  expect(table.slice(1, -1).every((line) => /^\d+,\d{4}-/.test(line))).toBe(true);
});

test('a history row changed outside the companion is reported, not repaired', async () => {
  world = await startWorld();
  await publishOne();
  await world.stop();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${world.dataDir}/companion.db`);
  db.exec(`drop trigger ledger_keeps; update ledger set kind = 'approval.declined' where seq = 3`);
  db.close();
  await world.begin();
  expect((await searchHistory()).brokenAt).toBe(3);
  expect((await searchHistory()).rows.find(({ seq }) => seq === 3)?.kind).toBe('approval.declined');
  expect(world.logs.some((line) => line.includes('the ledger is broken'))).toBe(true);
});
