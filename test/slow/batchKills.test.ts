import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchRequest, BatchView } from '../../src/core/approvals/batches.ts';
import { pairedAsker } from '../helpers/assistant.ts';
import { serviceKey } from '../helpers/approvals/decisions.ts';
import { copyDatabase } from '../helpers/copyDatabase.ts';
import { randomFrom } from '../helpers/randomFrom.ts';
import { isWhole, sampledBy, sampleSeed, sampleSize } from '../helpers/sample.ts';
import { startWorld, type World } from '../helpers/world.ts';

const channel = 'listing-companion.failpoints';

let world: World;
let isDead = false;
let userId = '';
const watch = (): void => undefined;
beforeAll(() => {
  // A database names its moments only where somebody listens as it opens.
  subscribe(channel, watch);
});
afterAll(async () => {
  await world.close();
  unsubscribe(channel, watch);
});

const batches = () => world.companion().batches;
const open = (): BatchView | null => batches().list()[0] ?? null;
const waiting = (batch: BatchView | null) =>
  (batch?.rows ?? []).flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );

/** Ends the companion after so many moments from now: no byte of it reaches the service or its database after that. */
const killAfter = (moments: number) => {
  const left = join(world.dataDir, 'left');
  mkdirSync(left, { recursive: true });
  let met = 0;
  const kill = (): void => {
    if (isDead) return;
    copyDatabase(world.dataDir, left);
    isDead = true;
  };
  const onMoment = (): void => void ((met += 1) > moments && kill());
  subscribe(channel, onMoment);
  return {
    kill,
    met: () => met,
    startAgain: async (): Promise<void> => {
      unsubscribe(channel, onMoment);
      await world.stop();
      copyDatabase(left, world.dataDir);
      isDead = false;
      await world.begin();
      await world.until(() => {
        // What may have arrived is looked up for minutes.
        world.clock.advance(10_000);
        return world.companion().approvals.unsettled().length === 0;
      }, 'the end of what was under way');
    },
  };
};

const acts = ['publishListing', 'reviseListing', 'endListing'] as const;
const kindOf = { publishListing: 'publish', reviseListing: 'revision', endListing: 'end' } as const;

/** Listings that an earlier seed left as they were: most of a seed's time would be spent on making others. */
const spare: Record<'written' | 'live', string[]> = { written: [], live: [] };
const listingFor = async (kind: 'written' | 'live'): Promise<string> =>
  spare[kind].pop() ?? world.practice[kind](await serviceKey(world));

const requestsOf = async (route: (typeof acts)[number], rows: number, price: number): Promise<BatchRequest[]> => {
  const requests: BatchRequest[] = [];
  for (let row = 0; row < rows; row += 1) {
    const listingId = await listingFor(route === 'publishListing' ? 'written' : 'live');
    requests.push({ route, input: { params: { listingId }, body: route === 'reviseListing' ? { price } : {} } });
  }
  return requests;
};

/** What the next seeds can take: all but what ended. */
const keepSpare = (route: (typeof acts)[number], requests: BatchRequest[], counts: number[]): void => {
  for (const [at, { input }] of requests.entries()) {
    const listingId = input.params?.['listingId'] ?? '';
    if (route === 'reviseListing' || (route === 'publishListing') === (counts[at] ?? 0) > 0) spare.live.push(listingId);
    else if (route === 'publishListing') spare.written.push(listingId);
  }
};

/** Every start checks the whole record, so each world is left before its record is long. */
const startFresh = async (): Promise<void> => {
  Object.assign(spare, { written: [], live: [] });
  lastSeq = 0;
  world = await startWorld({
    practicePerson: (practice) => async () => {
      const email = 'batches@practice.example';
      const made = await practice.person({ email, plan: 'Scale', credits: 100_000, connected: true, site: 'MKT_US' });
      ({ userId } = made);
      return { ...made, email };
    },
    reach: () => (isDead ? 'http://127.0.0.1:1' : null),
  });
};

let lastSeq = 0;
const seqNow = async (): Promise<number> => (lastSeq = (await world.practice.journal(lastSeq)).at(-1)?.seq ?? lastSeq);

/** Has time pass until a call is over, also one that comes to nothing. */
const settle = async (call: Promise<unknown>): Promise<void> => {
  let isOver = false;
  void call.catch(() => undefined).finally(() => (isOver = true));
  await world.until(() => isOver, 'the end of the call');
};

/** How often the service did it to each of the listings. */
const doneTo = async (requests: BatchRequest[], route: (typeof acts)[number], since: number): Promise<number[]> => {
  const rows = (await world.practice.journal(since)).filter(({ kind }) => kind === kindOf[route]);
  return requests.map(({ input }) => rows.filter(({ listingId }) => listingId === input.params?.['listingId']).length);
};

type Scene = { route: (typeof acts)[number]; requests: BatchRequest[]; since: number; hadYes: boolean };
type Pick = (count: number) => number;

const pickBy = (seed: number): Pick => {
  const random = randomFrom(Math.imul(seed, 2_654_435_761) >>> 0);
  for (let turn = 0; turn < 5; turn += 1) random();
  return (count) => Math.floor(random() * count);
};

const startScene = async (pick: Pick): Promise<Scene> => {
  const route = acts[pick(acts.length)] ?? 'publishListing';
  const requests = await requestsOf(route, 2 + pick(4), 1_000 + pick(500));
  // A day's budget of the marketplace would be used up halfway.
  for (const quota of ['fee_verify', 'trading'])
    await world.practice.control('POST', '/budgets', { userId, quota, used: 0 });
  return { route, requests, since: await seqNow(), hadYes: false };
};

/** Nothing of a batch that was being asked for waits by itself after the kill, and nothing was sent. */
const killWhileAsked = async (pick: Pick, { route, requests, since }: Scene, name: string): Promise<string> => {
  const killed = killAfter(pick(14 * requests.length));
  const by = pairedAsker(world, name);
  await settle(batches().askFor(by, requests));
  killed.kill();
  await killed.startAgain();
  expect(await doneTo(requests, route, since)).toEqual(requests.map(() => 0));
  const found = open();
  const pending = world
    .companion()
    .approvals.ofAsker(by.assistantId)
    .filter(({ state }) => state === 'pending');
  expect(pending, 'prompts of a batch that is not there').toHaveLength(found ? requests.length : 0);
  if (found) batches().close(found.batchId, waiting(found));
  return found ? 'asked' : 'being asked';
};

/** Every row of a batch is settled, or waits for another yes, and says what it is. */
const checkRows = (batch: BatchView, counts: number[], hadYes: boolean): void => {
  const states = batch.rows.map(({ approval }) => approval?.state ?? 'none');
  for (const [at, state] of states.entries()) {
    expect(['done', 'pending', 'failed']).toContain(state);
    expect(counts[at]).toBe(state === 'done' ? 1 : 0);
  }
  expect(batch.interrupted, 'what had a yes and was not sent').toBe(hadYes ? waiting(batch).length : 0);
};

/** Says yes to what waits and is killed on the way. */
const killWhileSent = async (pick: Pick, scene: Scene, batchId: string): Promise<string> => {
  const { route, requests, since } = scene;
  const shown = waiting(batches().read(batchId));
  const isResting = (): boolean => !['sending', 'held'].includes(batches().read(batchId).state);
  const killed = killAfter(pick(16 * shown.length + 24));
  await settle(batches().approve(batchId, shown));
  const isInWindow = route === 'endListing' && pick(3) === 0;
  if (!isInWindow) await world.until(() => isDead || isResting(), 'the end');
  killed.kill();
  if (!isInWindow) await world.until(isResting, 'the last tries');
  const atKill = await doneTo(requests, route, since);
  await killed.startAgain();

  const batch = batches().read(batchId);
  const counts = await doneTo(requests, route, since);
  expect(counts, 'nothing is sent by itself after a kill').toEqual(atKill);
  const yes = new Set(shown.map(({ approvalId }) => approvalId));
  const stored = world
    .companion()
    .searchHistory.search({ q: '', limit: 200 })
    .rows.filter(({ kind, facts }) => kind === 'approval.approve' && yes.has(String(facts['approvalId']))).length;
  expect([0, shown.length], 'a yes to all or to none').toContain(stored);
  scene.hadYes ||= stored > 0;
  checkRows(batch, counts, scene.hadYes);
  const left = waiting(batch).length;
  if (stored === 0) return `${route} before the yes`;
  return `${route} ${left === shown.length ? 'before the first' : left > 0 ? 'between two' : 'after the last'}`;
};

/** Kills of one batch, which is asked for again and again. */
const maxKills = 6;
const maxKillsOfWorld = 50;
const kills = sampleSize(400, 16);

test(
  `killed anywhere in a batch (${sampledBy}), its yes is for all rows or none, and each leaves once at the most`,
  { timeout: 600_000 },
  async () => {
    const met = new Map<string, number>();
    let turn = 0;
    const note = (where: string): void => {
      turn += 1;
      met.set(where, (met.get(where) ?? 0) + 1);
    };
    let leftAt = 0;
    while (turn < kills) {
      if (turn >= leftAt) {
        if (turn > 0) await world.close();
        await startFresh();
        leftAt = turn + maxKillsOfWorld;
      }
      const seed = (sampleSeed + turn) >>> 0;
      const pick = pickBy(seed);
      try {
        const scene = await startScene(pick);
        note(await killWhileAsked(pick, scene, `Helper ${seed}`));
        await settle(batches().askFor({ kind: 'person' }, scene.requests));
        const batchId = open()?.batchId ?? '';
        for (let kill = 0; kill < maxKills && waiting(batches().read(batchId)).length > 0; kill += 1)
          note(await killWhileSent(pick, scene, batchId));
        keepSpare(scene.route, scene.requests, await doneTo(scene.requests, scene.route, scene.since));
        batches().close(batchId, waiting(batches().read(batchId)));
      } catch (error) {
        throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
    if (!isWhole) return;
    const places = ['before the yes', 'before the first', 'between two', 'after the last'];
    const wanted = acts.flatMap((act) => places.map((place) => `${act} ${place}`));
    expect([...met.keys()]).toEqual(expect.arrayContaining(['being asked', ...wanted]));
  },
);
