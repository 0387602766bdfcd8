import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, expect, test } from 'vitest';
import { migrations } from '../../../src/practice/migrations/index.ts';
import type { Writer } from '../../../src/practice/writer/writer.ts';
import { drawnPhoto, startTestPractice } from '../../helpers/practice.ts';
import { killAll, runCli } from '../../helpers/practice/runCli.ts';

const folders: string[] = [];
afterEach(killAll);
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'practice-restart-'));
  folders.push(folder);
  return folder;
};

test('people, listings, photos and the clock survive a restart', async () => {
  const dataDir = await newFolder();
  const first = await startTestPractice({ dataDir });
  const { agentKey: key } = await first.person({ email: 'again@example.com', connected: true });
  const listingId = await first.live(key);
  await first.advance(3_600_000);
  await first.close();
  await writeFile(join(dataDir, 'photos', 'img_orphan.jpg'), 'half a photo');
  const second = await startTestPractice({ dataDir });
  const listing = (await second.call(key, 'GET', `/listings/${listingId}`)).body as {
    imageUrls: string[];
    marketListingUrl: string;
  };
  expect(listing).toMatchObject({ status: 'published' });
  expect((await fetch(listing.marketListingUrl)).status).toBe(200);
  expect((await fetch(listing.imageUrls[0] ?? '')).status).toBe(200);
  const clock = (await second.control('GET', '/clock')) as { now: number };
  expect(clock.now - Date.now()).toBeGreaterThan(3_500_000);
  expect(await readdir(join(dataDir, 'photos'))).toHaveLength(1);
  await second.close();
});

test('the database of an earlier version is migrated', async () => {
  const dataDir = await newFolder();
  const before = new Database(join(dataDir, 'practice.sqlite'));
  before.exec(migrations[0] ?? '');
  before.pragma('user_version = 1');
  before.exec(
    "INSERT INTO people (userId, email, plan, billing, referralCode, createdAt) VALUES ('usr_old', 'old@example.com', 'lite', 'card', 'code', 1)",
  );
  before.close();
  const now = await startTestPractice({ dataDir });
  const { agentKey, userId } = await now.person({ email: 'old@example.com' });
  expect(userId).toBe('usr_old');
  expect((await now.call(agentKey, 'GET', '/subscriptions')).body).toMatchObject({ plan: 'lite', status: 'active' });
  await now.close();
});

test('a generation in flight is finished after a restart and uses the allowance once', async () => {
  const dataDir = await newFolder();
  const first = await startTestPractice({ dataDir });
  const { agentKey: key } = await first.person();
  const listingId = await first.draft(key);
  await first.control('POST', '/writer', { delayMs: 60_000 });
  await first.call(key, 'POST', `/listings/${listingId}/generate`, {});
  await first.close();
  const second = await startTestPractice({ dataDir });
  expect(await second.settled(key, listingId)).toMatchObject({ status: 'pending_review' });
  expect((await second.call(key, 'GET', '/agent/me')).body).toMatchObject({ allowance: { remaining: 4 } });
  await second.close();
});

test('a writer that ignores the shutdown does not delay the shutdown', async () => {
  const dataDir = await newFolder();
  const deaf: Writer = { write: () => new Promise(() => undefined), close: async () => undefined };
  const first = await startTestPractice({ dataDir, writer: deaf });
  const { agentKey: key } = await first.person();
  const listingId = await first.draft(key);
  await first.call(key, 'POST', `/listings/${listingId}/generate`, {});
  await first.close();
  const second = await startTestPractice({ dataDir });
  expect(await second.settled(key, listingId)).toMatchObject({ status: 'pending_review' });
  await second.close();
});

const json = async (response: Response): Promise<unknown> => response.json();
const postJson = async (url: string, key: string | null, path: string, body: unknown): Promise<unknown> =>
  json(
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    }),
  );

test('a generation in flight is finished after the service was killed', async () => {
  const folder = await newFolder();
  const first = runCli('--port', '0', '--data', folder);
  const url = await first.url();
  const { agentKey } = (await postJson(url, null, '/practice/people', { email: 'kill@example.com' })) as {
    agentKey: string;
  };
  const { listingId } = (await postJson(url, agentKey, '/listings', {})) as { listingId: string };
  const files = [{ contentType: 'image/jpeg', index: 0 }];
  const [slot] = (await postJson(url, agentKey, '/listings/upload-url', { listingId, files })) as {
    uploadUrl: string;
  }[];
  const bytes = new Uint8Array(await drawnPhoto(2));
  await fetch(slot?.uploadUrl ?? '', { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: bytes });
  await postJson(url, null, '/practice/writer', { delayMs: 600_000 });
  await postJson(url, agentKey, `/listings/${listingId}/generate`, {});
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await startTestPractice({ dataDir: folder });
  expect(await second.settled(agentKey, listingId)).toMatchObject({ status: 'pending_review' });
  expect((await second.journal()).filter(({ kind }) => kind === 'generation')).toHaveLength(1);
  await second.close();
});

test('the service exits cleanly on SIGTERM', async () => {
  const run = runCli('--port', '0', '--data', await newFolder());
  await run.url();
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  expect(run.err()).toBe('');
});

test.each([
  [['--bogus'], 2, 'bogus'],
  [['--port', '7'], 2, '--data'],
  [['--data', 'x', '--port', 'many'], 2, '--port'],
  [['--data', '/proc/nowhere'], 1, 'cannot be written to'],
])('a start with the arguments %j exits with code %i and an error message', async (args, code, words) => {
  const run = runCli(...args);
  expect(await run.ended).toBe(code);
  expect(run.err()).toContain(words);
  expect(run.err().trim().split('\n')).toHaveLength(1);
});

test('the service does not start with a data folder that another process uses', async () => {
  const there = await startTestPractice();
  const run = runCli('--data', there.dataDir);
  expect(await run.ended).toBe(1);
  expect(run.err()).toContain('in use');
  await there.close();
});

test('the service does not start on a port that is already in use', async () => {
  const there = await startTestPractice();
  const run = runCli('--data', await newFolder(), '--port', new URL(there.url).port);
  expect(await run.ended).toBe(1);
  expect(run.err()).toMatch(/^The port \d+ is taken\..*\n$/);
  await there.close();
});
