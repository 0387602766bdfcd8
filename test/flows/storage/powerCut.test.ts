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
const listenDuring = async (channel: string, listener: Listener, work: () => Promise<unknown>): Promise<void> => {
  subscribe(channel, listener);
  await work().finally(() => unsubscribe(channel, listener));
};

const failpoints = 'listing-companion.failpoints';

/** The size of the database's log at the last sync to disk, and the number of syncs. */
let disk = { seenBytes: 0, safeBytes: 0, waits: 0 };
const watchDisk: Listener = (failpoint) => {
  if (failpoint === 'before: what was written is on disk')
    disk.seenBytes = statSync(join(world.dataDir, 'companion.db-wal')).size;
  if (failpoint === 'after: what was written is on disk')
    disk = { ...disk, safeBytes: disk.seenBytes, waits: disk.waits + 1 };
};
beforeEach(() => {
  disk = { seenBytes: 0, safeBytes: 0, waits: 0 };
  subscribe(failpoints, watchDisk);
});
afterEach(() => void unsubscribe(failpoints, watchDisk));

/** Opens a copy of the database as the next start would find it after a power cut now. */
const openAfterPowerCut = (): Database.Database => {
  const [file, copy] = ['companion.db', 'cut.db'].map((name) => join(world.dataDir, name));
  if (file === undefined || copy === undefined) throw new Error('There is a file and a copy.');
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  truncateSync(`${copy}-wal`, disk.safeBytes);
  return new Database(copy);
};

/** Returns the name of a changing request, with a remark if the database would not know the request after a power cut. */
const nameKnownRequest = ({ method, url = '', headers }: IncomingMessage): string => {
  const cut = openAfterPowerCut();
  const hasRow = (sql: string, ...values: string[]): boolean => cut.prepare(sql).get(...values) !== undefined;
  const [, listingId = ''] = /^\/listings\/([^/]+)\/generate$/.exec(url) ?? [];
  const name = `${method} ${url.replace(listingId || /^$/, 'one').replace(/^\/uploads\/.*/, '/uploads/one')}`;
  const facts: Record<string, () => boolean> = {
    'POST /listings': () =>
      hasRow(
        'select 1 from items where draft_body is not null and idempotency_key = ?',
        String(headers['idempotency-key']),
      ),
    'POST /listings/upload-url': () => hasRow('select 1 from items where listing_id is not null'),
    'PUT /uploads/one': () => hasRow('select 1 from photos where instr(slot, ?) > 0', url),
    'POST /listings/one/generate': () =>
      hasRow("select 1 from generations where state = 'sent' and listing_id = ?", listingId),
  };
  const isKnown = facts[name]?.() ?? false;
  cut.close();
  return isKnown ? name : `${name}, of which nothing is known`;
};

test('the state of a changing request is on disk before the request is sent', async () => {
  world = await startWorld();
  const arrived: string[] = [];
  const onRequest: Listener = (message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.method !== 'GET') arrived.push(nameKnownRequest(request));
  };
  await listenDuring('http.server.request.start', onRequest, () => world.reviewed('blue shoes', 1));
  expect(arrived).toEqual([
    'POST /listings',
    'POST /listings/upload-url',
    'PUT /uploads/one',
    'POST /listings/one/generate',
  ]);
});

test('between the drop and the review of an item, only storing the item waits for the disk', async () => {
  // Failpoints report statements only if a listener exists when the database is opened.
  const writes: string[] = [];
  const exec = vi.spyOn(Database.prototype, 'exec');
  const isWaiting = (): boolean => exec.mock.lastCall?.[0] !== 'pragma synchronous = normal';
  const onFailpoint: Listener = (failpoint) => {
    // Deletions are not synced, and scheduled work writes settings during the test.
    const [, what] = /^before: ((?:insert into (?!settings)|update).*)$/.exec(String(failpoint)) ?? [];
    if (what !== undefined && isWaiting()) writes.push(what);
  };
  await listenDuring(failpoints, onFailpoint, async () => {
    world = await startWorld();
    writes.length = 0;
    disk.waits = 0;
    await world.reviewed('blue shoes', 3);
  });
  exec.mockRestore();
  expect(writes).toEqual(['insert into items + insert into photos']);
  expect(disk.waits).toBeGreaterThan(0);
});
