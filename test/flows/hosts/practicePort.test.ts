import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createPracticePeople } from '../../../src/host/practice/practicePeople.ts';
import { startOnLastPort } from '../../../src/host/practice/embedPractice.ts';
import type { Practice } from '../../../src/practice/startPractice.ts';
import { quickWriter } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let dataDir: string;
let practice: Practice;
const start = async (): Promise<void> => {
  practice = await startOnLastPort({ dataDir, writer: quickWriter });
};
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'practice-'));
  await start();
});
afterEach(async () => {
  await practice.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A companion on the practice service of a host, which starts anew with it. */
const startHost = async (): Promise<{ world: World; restart: () => Promise<void> }> => {
  const people: Parameters<typeof createPracticePeople>[0] = {
    person: (wanted) => practice.person(wanted),
    addresses: () => practice.addresses(),
  };
  const world = await startWorld({
    person: null,
    keychain: 'system',
    reach: () => practice.url,
    practicePerson: () => createPracticePeople(people, async () => 'Helper'),
  });
  await world.companion().connect.practice('stocked');
  const restart = async (): Promise<void> => {
    await world.stop();
    await practice.close();
    await start();
    await world.begin();
  };
  return { world, restart };
};

const answer = z.object({ listings: z.array(z.object({ listingId: z.string() })) });

test('a question about a live listing that waits over a restart is the same question, and its yes holds', async () => {
  const { world, restart } = await startHost();
  try {
    const found = await world.perform('listListings', { query: { status: 'published' } });
    const [live] = answer.parse(found.state === 'done' ? found.answer : null).listings;
    const listingId = live?.listingId ?? '';
    await world.perform('endListing', { params: { listingId } });
    const [asked] = world.companion().approvals.waiting();
    await restart();
    const waits = () => world.companion().approvals.waiting();
    expect(waits()).toMatchObject([{ approvalId: asked?.approvalId, digest: asked?.digest, sinceShown: [] }]);
    const [again] = waits();
    if (!again) throw new Error('Nobody is asked.');
    expect(await world.approve(again)).toMatchObject({ approvalId: asked?.approvalId, state: 'done' });
    expect((await world.listing(listingId)).status).toBe('ended');
  } finally {
    await world.close();
  }
});

test('where another program has the port, the service takes a free one, and has that the next time', async () => {
  const { port } = new URL(practice.url);
  await practice.close();
  const other = createServer().listen(Number(port), '127.0.0.1');
  await once(other, 'listening');
  await start();
  const now = new URL(practice.url).port;
  expect(now).not.toBe(port);
  other.close();
  await once(other, 'close');
  await practice.close();
  await start();
  expect(new URL(practice.url).port).toBe(now);
});

test.each(['', '0', '70000', '-1', 'no port'])('a port that is none is not tried: "%s"', async (text) => {
  await practice.close();
  await writeFile(join(dataDir, 'port'), text);
  await start();
  expect(await readFile(join(dataDir, 'port'), 'utf8')).toBe(new URL(practice.url).port);
});
