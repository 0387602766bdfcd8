import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createPracticePersonProvider } from '../../../src/host/practice/practicePeople.ts';
import { openPracticeListener, type PracticeListener } from '../../../src/host/practice/practiceListener.ts';
import { openPracticeService } from '../../../src/practice/startPractice.ts';
import { quickWriter } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let dataDir: string;
let practice: PracticeListener;
let opened: number;
const logs: string[] = [];
const openService = async (port: number) => {
  opened += 1;
  const service = await openPracticeService({ dataDir, writer: quickWriter }, () => port);
  return {
    ...service,
    person: createPracticePersonProvider(service, async () => 'Helper'),
    createBackgroundParts: () => [],
  };
};
const startListener = async (): Promise<void> => {
  practice = await openPracticeListener({
    dataDir,
    open: openService,
    log: (_level, message) => void logs.push(message),
  });
};
const stopListener = async (): Promise<void> => practice.part.stop();
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'practice-'));
  opened = 0;
  await startListener();
});
afterEach(async () => {
  await stopListener();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a companion on a host’s practice service; both restart together. */
const startHost = async (): Promise<{ world: World; restart: () => Promise<void> }> => {
  const world = await startWorld({
    person: null,
    keychain: 'system',
    reach: () => practice.url,
    practicePerson: () => (wish) => practice.person(wish),
  });
  await world.companion().connect.practice('stocked');
  const restart = async (): Promise<void> => {
    await world.stop();
    await stopListener();
    await startListener();
    await world.begin();
  };
  return { world, restart };
};

const answer = z.object({ listings: z.array(z.object({ listingId: z.string() })) });

test('a pending approval for a practice listing can still be approved after a restart', async () => {
  const { world, restart } = await startHost();
  try {
    const found = await world.perform('listListings', { query: { status: 'published' } });
    const [live] = answer.parse(found.state === 'done' ? found.answer : null).listings;
    const listingId = live?.listingId ?? '';
    await world.perform('endListing', { params: { listingId } });
    const [asked] = world.companion().approvals.listPending();
    await restart();
    const listPrompts = () => world.companion().approvals.listPending();
    expect(listPrompts()).toMatchObject([{ approvalId: asked?.approvalId, digest: asked?.digest, sinceShown: [] }]);
    const [again] = listPrompts();
    if (!again) throw new Error('No prompt is pending.');
    expect(await world.approve(again)).toMatchObject({ approvalId: asked?.approvalId, state: 'done' });
    expect((await world.listing(listingId)).status).toBe('ended');
  } finally {
    await world.close();
  }
});

test('the practice service chooses and keeps a free port if its port is taken', async () => {
  const { port } = new URL(practice.url);
  await stopListener();
  const other = createServer().listen(Number(port), '127.0.0.1');
  await once(other, 'listening');
  await startListener();
  const now = new URL(practice.url).port;
  expect(now).not.toBe(port);
  other.close();
  await once(other, 'close');
  await stopListener();
  await startListener();
  expect(new URL(practice.url).port).toBe(now);
});

test.each(['', '0', '70000', '-1', 'no port'])('an invalid stored port is not used: "%s"', async (text) => {
  await stopListener();
  await writeFile(join(dataDir, 'port'), text);
  await startListener();
  expect(await readFile(join(dataDir, 'port'), 'utf8')).toBe(new URL(practice.url).port);
});

describe('the practice service behind its port', () => {
  test('the practice service is opened only once, at the first request', async () => {
    expect(opened).toBe(0);
    const answers = await Promise.all([fetch(`${practice.url}/agent`), fetch(`${practice.url}/agent`)]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    await practice.person({ shop: 'empty', fresh: false });
    expect(opened).toBe(1);
  });

  test('after the window is drawn, the practice service loads its code and starts its background work', async () => {
    const drawn = Promise.withResolvers<void>();
    const seen: string[] = [];
    const part = { name: 'part', stop: () => void seen.push('stopped') };
    const createBackgroundParts = () => {
      seen.push('started');
      return [part];
    };
    await stopListener();
    practice = await openPracticeListener({
      ...{ dataDir, log: () => undefined },
      open: async (port) => ({
        ...(await openService(port)),
        createBackgroundParts,
        load: async () => void seen.push('loaded'),
      }),
    });
    const { companion } = {} as { companion: Parameters<PracticeListener['createBackgroundPart']>[0] };
    const backgroundPart = practice.createBackgroundPart(companion, '', drawn.promise);
    expect(seen).toEqual([]);
    drawn.resolve();
    await drawn.promise;
    await backgroundPart.stop();
    expect(seen).toEqual(['loaded', 'started', 'stopped']);
  });

  test('a practice service that fails to open logs the failure and refuses requests', async () => {
    await stopListener();
    const failToOpen = () => Promise.reject(new Error('damaged'));
    practice = await openPracticeListener({
      dataDir,
      open: failToOpen,
      log: (_level, message) => void logs.push(message),
    });
    await expect(fetch(practice.url)).rejects.toThrow();
    expect(logs).toContain('the practice service could not be opened');
  });

  test('a failed opening of the practice service is retried at the next request', async () => {
    await stopListener();
    let isFull = true;
    practice = await openPracticeListener({
      ...{ dataDir, log: () => undefined },
      open: (port) => (isFull ? Promise.reject(new Error('full')) : openService(port)),
    });
    await expect(fetch(`${practice.url}/agent`)).rejects.toThrow();
    await expect(practice.person({ shop: 'empty', fresh: false })).rejects.toThrow('full');
    isFull = false;
    const answers = await Promise.all([fetch(`${practice.url}/agent`), fetch(`${practice.url}/agent`)]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await practice.person({ shop: 'empty', fresh: false })).toMatchObject({ email: 'you@practice.example' });
    expect(opened).toBe(1);
  });

  test('a failed migration of the practice database does not block the next attempt', async () => {
    const file = join(dataDir, 'practice.sqlite');
    const before = new Database(file);
    before.exec('CREATE TABLE people (email TEXT)');
    before.close();
    await expect(fetch(`${practice.url}/agent`)).rejects.toThrow();
    const repaired = new Database(file);
    repaired.exec('DROP TABLE people');
    repaired.close();
    expect((await fetch(`${practice.url}/agent`)).ok).toBe(true);
  });
});
