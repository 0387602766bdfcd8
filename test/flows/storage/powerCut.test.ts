import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { copyFileSync, statSync, truncateSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

type Listener = (message: unknown) => void;
/** Listens to a channel while a task runs. */
const listening = async (channel: string, listener: Listener, work: () => Promise<unknown>): Promise<void> => {
  subscribe(channel, listener);
  await work().finally(() => unsubscribe(channel, listener));
};

const failpoints = 'listing-companion.failpoints';

/** How much of the database's log was there when it was last waited for, and how often it was. */
let disk = { seenBytes: 0, safeBytes: 0, waits: 0 };
const watchDisk: Listener = (moment) => {
  if (moment === 'before: what was written is on disk')
    disk.seenBytes = statSync(join(world.dataDir, 'companion.db-wal')).size;
  if (moment === 'after: what was written is on disk')
    disk = { ...disk, safeBytes: disk.seenBytes, waits: disk.waits + 1 };
};
beforeEach(() => {
  disk = { seenBytes: 0, safeBytes: 0, waits: 0 };
  subscribe(failpoints, watchDisk);
});
afterEach(() => void unsubscribe(failpoints, watchDisk));

/** The database as the next start finds it when the power is cut now. */
const afterCut = (): Database.Database => {
  const [file, copy] = ['companion.db', 'cut.db'].map((name) => join(world.dataDir, name));
  if (file === undefined || copy === undefined) throw new Error('There is a file and a copy.');
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  truncateSync(`${copy}-wal`, disk.safeBytes);
  return new Database(copy);
};

/** Which request it is, where it may change something and the database knew of it when the power was cut. */
const knownRequest = ({ method, url = '', headers }: IncomingMessage): string => {
  const cut = afterCut();
  const has = (sql: string, ...values: string[]): boolean => cut.prepare(sql).get(...values) !== undefined;
  const [, listingId = ''] = /^\/listings\/([^/]+)\/generate$/.exec(url) ?? [];
  const name = `${method} ${url.replace(listingId || /^$/, 'one').replace(/^\/uploads\/.*/, '/uploads/one')}`;
  const facts: Record<string, () => boolean> = {
    'POST /listings': () =>
      has(
        'select 1 from items where draft_body is not null and idempotency_key = ?',
        String(headers['idempotency-key']),
      ),
    'POST /listings/upload-url': () => has('select 1 from items where listing_id is not null'),
    'PUT /uploads/one': () => has('select 1 from photos where instr(slot, ?) > 0', url),
    'POST /listings/one/generate': () =>
      has("select 1 from generations where state = 'sent' and listing_id = ?", listingId),
  };
  const isKnown = facts[name]?.() ?? false;
  cut.close();
  return isKnown ? name : `${name}, of which nothing is known`;
};

test('before a changing request is sent, its stored state survives a power cut', async () => {
  world = await startWorld();
  const arrived: string[] = [];
  const onRequest: Listener = (message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.method !== 'GET') arrived.push(knownRequest(request));
  };
  await listening('http.server.request.start', onRequest, () => world.reviewed('blue shoes', 1));
  expect(arrived).toEqual([
    'POST /listings',
    'POST /listings/upload-url',
    'PUT /uploads/one',
    'POST /listings/one/generate',
  ]);
});

test('from the drop to the review the companion waits for the disk once, to store the photos', async () => {
  // Statements are named only where somebody listens as the database is opened.
  const writes: string[] = [];
  const exec = vi.spyOn(Database.prototype, 'exec');
  const isWaiting = (): boolean => exec.mock.lastCall?.[0] !== 'pragma synchronous = normal';
  const onMoment: Listener = (moment) => {
    // What deletes nothing waits for nothing, and settings are written by what the clock brings meanwhile.
    const [, what] = /^before: ((?:insert into (?!settings)|update).*)$/.exec(String(moment)) ?? [];
    if (what !== undefined && isWaiting()) writes.push(what);
  };
  await listening(failpoints, onMoment, async () => {
    world = await startWorld();
    writes.length = 0;
    disk.waits = 0;
    await world.reviewed('blue shoes', 3);
  });
  exec.mockRestore();
  expect(writes).toEqual(['insert into items + insert into photos']);
  expect(disk.waits).toBeGreaterThan(0);
});
