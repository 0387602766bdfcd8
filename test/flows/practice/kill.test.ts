import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createListingMaker,
  startTestPractice,
  createPracticeClient,
  type TestPractice,
} from '../../helpers/practice.ts';
import { traceStates } from '../../helpers/practice/traceStates.ts';
import { killAll, runCli } from '../../helpers/practice/runCli.ts';

const folders: string[] = [];
afterEach(killAll);
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const start = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'practice-kill-'));
  folders.push(dataDir);
  const run = runCli('--port', '0', '--data', dataDir);
  const talk = createPracticeClient(await run.url());
  const kill = async (): Promise<void> => {
    run.child.kill('SIGKILL');
    await run.ended;
  };
  return { dataDir, kill, ...talk, ...createListingMaker(talk) };
};

type Run = Awaited<ReturnType<typeof start>>;

const listingSchema = z.looseObject({ listingId: z.string(), title: z.string().nullish(), status: z.string() });
const read = async (practice: TestPractice, key: string, listingId: string) =>
  listingSchema.parse((await practice.call(key, 'GET', `/listings/${listingId}`)).body);

/** By listing id: the idempotency key of the draft and the last title that the service acknowledged. */
type Acknowledged = Map<string, { idempotencyKey: string; title: string | null }>;

/** Creates and edits drafts one after another until the connection breaks. */
const writeUntilKilled = async (run: Run, key: string, name: string, done: Acknowledged): Promise<void> => {
  try {
    for (let at = 0; ; at += 1) {
      const idempotencyKey = `${name}-${at}`;
      const answer = await run.call(key, 'POST', '/listings', {}, { 'idempotency-key': idempotencyKey });
      const { listingId } = listingSchema.parse(answer.body);
      done.set(listingId, { idempotencyKey, title: null });
      const title = `Title ${name} ${at}`;
      const edited = await run.call(key, 'PUT', `/listings/${listingId}`, { title });
      if (edited.status === 200) done.set(listingId, { idempotencyKey, title });
    }
  } catch {
    // The test has killed the service.
  }
};

test('after the service is killed, every acknowledged write is stored exactly once', async () => {
  const first = await start();
  const { agentKey: key } = await first.person({ plan: 'Scale', connected: true });
  const done: Acknowledged = new Map();
  const scribbling = ['a', 'b', 'c', 'd'].map((name) => writeUntilKilled(first, key, name, done));
  while (done.size < 60) await new Promise((resolve) => setTimeout(resolve, 5));
  await first.kill();
  await Promise.all(scribbling);

  const second = await startTestPractice({ dataDir: first.dataDir });
  for (const [listingId, { title, idempotencyKey }] of done) {
    const now = await read(second, key, listingId);
    if (title !== null) expect(now.title).toBe(title);
    const again = await second.call(key, 'POST', '/listings', {}, { 'idempotency-key': idempotencyKey });
    expect(again).toMatchObject({ status: 200, body: { listingId }, headers: { 'idempotent-replayed': 'true' } });
  }
  const drafts = (await second.journal()).filter(({ kind }) => kind === 'draft');
  // Each of the four writers can have created one more draft whose answer was lost.
  expect(drafts.length - done.size).toBeGreaterThanOrEqual(0);
  expect(drafts.length - done.size).toBeLessThanOrEqual(4);
  expect(second.reports).toEqual([]);
  await second.close();
}, 60_000);

test('after the service is killed during requests, its journal matches its state', async () => {
  const first = await start();
  const { agentKey: key, userId } = await first.person({ plan: 'Scale', connected: true });
  const drafts = await Promise.all(Array.from({ length: 4 }, () => first.draft(key)));
  const ready = await Promise.all([first.written(key), first.written(key)]);
  await first.call(key, 'POST', `/listings/${ready[0] ?? ''}/channels/fees`, { action: 'confirm' });
  await first.control('POST', '/writer', { delayMs: 600_000 });
  // The kill interrupts these calls, so only some of them are answered.
  const calls = [
    ...drafts.map((listingId) => first.call(key, 'POST', `/listings/${listingId}/generate`, {})),
    ...ready.map((listingId) => first.call(key, 'POST', `/market/publish/${listingId}`, {})),
    ...drafts.map(() => first.draft(key)),
  ];
  await Promise.race(calls);
  await first.kill();
  const answers = await Promise.allSettled(calls);

  const second = await startTestPractice({ dataDir: first.dataDir });
  for (const listingId of [...drafts, ...ready]) await second.settled(key, listingId);
  const rows = await second.journal();
  const states = traceStates(rows);
  for (const [listingId, state] of states) expect((await read(second, key, listingId)).status).toBe(state);
  const of = (kind: string, listingId: string, what?: string) =>
    rows.filter((row) => row.kind === kind && row['listingId'] === listingId && (!what || row['what'] === what)).length;
  for (const listingId of drafts) expect(of('generation', listingId)).toBeLessThanOrEqual(1);
  for (const listingId of ready) expect(of('charge', listingId, 'market_fees')).toBe(of('publish', listingId));
  const [, , , , ...published] = answers.slice(0, 6);
  for (const [at, answer] of published.entries())
    if (answer.status === 'fulfilled' && typeof answer.value === 'object' && answer.value.status === 200)
      expect(states.get(ready[at] ?? '')).toBe('published');
  const used = rows.filter((row) => row.kind === 'generation' && row['userId'] === userId).length;
  expect((await second.call(key, 'GET', '/agent/me')).body).toMatchObject({ allowance: { remaining: 1_000 - used } });
  // Checks that the file of every photo in a listing exists.
  for (const listingId of states.keys()) {
    const { imageUrls } = z
      .looseObject({ imageUrls: z.array(z.string()) })
      .parse((await second.call(key, 'GET', `/listings/${listingId}`)).body);
    for (const url of imageUrls) expect((await fetch(url)).status).toBe(200);
  }
  await second.close();
}, 60_000);
