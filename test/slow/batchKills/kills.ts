import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BatchView } from '../../../src/core/approvals/batches.ts';
import type { BatchRequest } from '../../../src/core/approvals/checks/batchRequests.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { readServiceKey } from '../../helpers/approvals/decisions.ts';
import { copyDatabase } from '../../helpers/copyDatabase.ts';
import { createRandom } from '../../helpers/createRandom.ts';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';
import { sampleSeed } from '../../helpers/sample.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const channel = 'listing-companion.failpoints';

let practice: TestPractice;
let world: World;
let isDead = false;
let userId = '';
const ignoreFailpoint = (): void => undefined;

/** Starts the practice service that all tests of a file share. */
export const openKills = async (): Promise<void> => {
  // A database publishes its failpoints only if there is a subscriber when it opens.
  subscribe(channel, ignoreFailpoint);
  practice = await startTestPractice();
  Object.assign(spare, { written: [], live: [] });
  lastSeq = 0;
};

export const closeKills = async (): Promise<void> => {
  unsubscribe(channel, ignoreFailpoint);
  await practice.close();
};

const getBatches = () => world.companion().batches;
const getOpenBatch = (): BatchView | null => getBatches().listOpen()[0] ?? null;
const listPendingChoices = (batch: BatchView | null) =>
  (batch?.rows ?? []).flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );

/** Whether the companion is killed at the failpoint with this name. */
export type IsEnd = (moment: string) => boolean;

const matchAfter = (count: number): IsEnd => {
  let met = 0;
  return () => (met += 1) > count;
};

/** Kills the companion at a later failpoint: no byte reaches the service or the database after that. */
const killAt = (isEnd: IsEnd) => {
  const left = join(world.dataDir, 'left');
  mkdirSync(left, { recursive: true });
  const killNow = (): void => {
    if (isDead) return;
    copyDatabase(world.dataDir, left);
    isDead = true;
  };
  const onFailpoint = (name: unknown): void => void (isEnd(String(name)) && killNow());
  subscribe(channel, onFailpoint);
  return {
    kill: killNow,
    startAgain: async (): Promise<void> => {
      unsubscribe(channel, onFailpoint);
      await world.stop();
      copyDatabase(left, world.dataDir);
      isDead = false;
      await world.begin();
      await world.until(() => {
        // Requests that may have arrived are checked for minutes.
        world.clock.advance(10_000);
        return world.companion().approvals.listUnsettled().length === 0;
      }, 'the outcomes of requests in flight');
    },
  };
};

export const acts = ['publishListing', 'reviseListing', 'endListing'] as const;
type Act = (typeof acts)[number];
const kindOf = { publishListing: 'publish', reviseListing: 'revision', endListing: 'end' } as const;

/** Unused listings of earlier seeds, because creating new ones would take most of the time. */
const spare: Record<'written' | 'live', string[]> = { written: [], live: [] };
const listingFor = async (kind: 'written' | 'live'): Promise<string> =>
  spare[kind].pop() ?? practice[kind](await readServiceKey(world));

const createRequests = async (route: Act, rows: number, price: number): Promise<BatchRequest[]> => {
  const requests: BatchRequest[] = [];
  for (let row = 0; row < rows; row += 1) {
    const listingId = await listingFor(route === 'publishListing' ? 'written' : 'live');
    requests.push({ route, input: { params: { listingId }, body: route === 'reviseListing' ? { price } : {} } });
  }
  return requests;
};

/** Keeps the listings that the next seeds can use: all except ended ones. */
const keepSpare = (route: Act, requests: BatchRequest[], counts: number[]): void => {
  for (const [at, { input }] of requests.entries()) {
    const listingId = input.params?.['listingId'] ?? '';
    if (route === 'reviseListing' || (route === 'publishListing') === (counts[at] ?? 0) > 0) spare.live.push(listingId);
    else if (route === 'publishListing') spare.written.push(listingId);
  }
};

/** Starts a new world; every start checks the whole ledger, so no world is used for long. */
export const startFresh = async (): Promise<void> => {
  world = await startWorld({
    practice,
    practicePerson: () => async () => {
      const email = 'batches@practice.example';
      const made = await practice.person({ email, plan: 'Scale', credits: 100_000, connected: true, site: 'MKT_US' });
      ({ userId } = made);
      return { ...made, email };
    },
    reach: () => (isDead ? 'http://127.0.0.1:1' : null),
  });
};

export const closeWorld = (): Promise<void> => world.close();

let lastSeq = 0;
const readLastSeq = async (): Promise<number> => (lastSeq = (await practice.journal(lastSeq)).at(-1)?.seq ?? lastSeq);

/** Advances the clock until a call has resolved or failed. */
const waitForCall = async (call: Promise<unknown>): Promise<void> => {
  let isOver = false;
  void call.catch(() => undefined).finally(() => (isOver = true));
  await world.until(() => isOver, 'the end of the call');
};

/** Returns how often the service carried out the requests for each listing. */
const countDone = async (requests: BatchRequest[], route: Act, since: number): Promise<number[]> => {
  const rows = (await practice.journal(since)).filter(({ kind }) => kind === kindOf[route]);
  return requests.map(({ input }) => rows.filter(({ listingId }) => listingId === input.params?.['listingId']).length);
};

type Scene = { route: Act; requests: BatchRequest[]; since: number; hadYes: boolean };
type Pick = (count: number) => number;

const createPick = (seed: number): Pick => {
  const random = createRandom(Math.imul(seed, 2_654_435_761) >>> 0);
  for (let turn = 0; turn < 5; turn += 1) random();
  return (count) => Math.floor(random() * count);
};

export const startScene = async (route: Act, rows: number, price: number): Promise<Scene> => {
  const requests = await createRequests(route, rows, price);
  // Otherwise the marketplace's daily budget would run out halfway.
  for (const quota of ['fee_verify', 'trading']) await practice.control('POST', '/budgets', { userId, quota, used: 0 });
  return { route, requests, since: await readLastSeq(), hadYes: false };
};

/** Kills the companion while it requests a batch; expects all rows or none pending, and nothing sent. */
export const killWhileAsked = async (
  { route, requests, since }: Scene,
  name: string,
  isEnd: IsEnd,
): Promise<string> => {
  const killed = killAt(isEnd);
  const by = pairAsker(world, name);
  await waitForCall(getBatches().requestBatches(by, requests));
  killed.kill();
  await killed.startAgain();
  expect(await countDone(requests, route, since)).toEqual(requests.map(() => 0));
  const found = getOpenBatch();
  const pending = world
    .companion()
    .approvals.listOfAsker(by.assistantId)
    .filter(({ state }) => state === 'pending');
  expect(pending, 'pending prompts without a batch').toHaveLength(found ? requests.length : 0);
  if (found) getBatches().closeBatch(found.batchId, listPendingChoices(found));
  return found ? 'after it is requested' : 'while it is requested';
};

/** Expects that every row is settled or pending, and that its state matches the service. */
const checkRows = (batch: BatchView, counts: number[], hadYes: boolean): void => {
  const states = batch.rows.map(({ approval }) => approval?.state ?? 'none');
  for (const [at, state] of states.entries()) {
    expect(['done', 'pending', 'failed']).toContain(state);
    expect(counts[at]).toBe(state === 'done' ? 1 : 0);
  }
  expect(batch.interrupted, 'approved rows that were not sent').toBe(hadYes ? listPendingChoices(batch).length : 0);
};

type YesKill = { isEnd: IsEnd; /** Kills in the undo window at the latest. */ isInWindow?: boolean };

/** Approves the pending rows and kills the companion while it sends them. */
export const killWhileSent = async (scene: Scene, batchId: string, { isEnd, isInWindow }: YesKill): Promise<string> => {
  const { route, requests, since } = scene;
  const shown = listPendingChoices(getBatches().readBatch(batchId));
  const isResting = (): boolean => !['sending', 'held'].includes(getBatches().readBatch(batchId).state);
  const killed = killAt(isEnd);
  await waitForCall(world.pressYesToRows(batchId, shown));
  if (!isInWindow) await world.until(() => isDead || isResting(), 'the end');
  killed.kill();
  if (!isInWindow) await world.until(isResting, 'the last retries');
  const atKill = await countDone(requests, route, since);
  await killed.startAgain();

  const batch = getBatches().readBatch(batchId);
  const counts = await countDone(requests, route, since);
  expect(counts, 'nothing is sent after a kill without an approval').toEqual(atKill);
  const yes = new Set(shown.map(({ approvalId }) => approvalId));
  const { rows } = await world.companion().searchHistory.search({ q: '', limit: 200 });
  const stored = rows.filter(
    ({ kind, facts }) => kind === 'approval.approve' && yes.has(String(facts['approvalId'])),
  ).length;
  expect([0, shown.length], 'all rows or none approved').toContain(stored);
  scene.hadYes ||= stored > 0;
  checkRows(batch, counts, scene.hadYes);
  const left = listPendingChoices(batch).length;
  if (stored === 0) return 'before the approval';
  return left === shown.length ? 'before the first' : left > 0 ? 'between two' : 'after the last';
};

export const askAsPerson = async ({ requests }: Scene): Promise<string> => {
  await waitForCall(getBatches().requestBatches({ kind: 'person' }, requests));
  return getOpenBatch()?.batchId ?? '';
};

export const closeScene = async ({ route, requests, since }: Scene): Promise<void> => {
  keepSpare(route, requests, await countDone(requests, route, since));
  const batch = getOpenBatch();
  if (batch) getBatches().closeBatch(batch.batchId, listPendingChoices(batch));
};

const maxKillsOfSeed = 6;
const seedsOfWorld = 8;

/**
 * Kills one batch of random size at a random failpoint: a third of the batches while they are requested, the others while
 * they are sent. A quarter of the batches that are pending then are approved and killed again.
 */
const killBatch = async (seed: number): Promise<void> => {
  const pick = createPick(seed);
  const scene = await startScene(acts[pick(acts.length)] ?? 'publishListing', 2 + pick(3), 1_000 + pick(500));
  if (pick(3) === 0) await killWhileAsked(scene, `Lister ${seed}`, matchAfter(pick(14 * scene.requests.length)));
  else {
    const batchId = await askAsPerson(scene);
    for (let kills = 0; kills < maxKillsOfSeed; kills += 1) {
      const { length } = listPendingChoices(getBatches().readBatch(batchId));
      if (length === 0 || (kills > 0 && pick(4) > 0)) break;
      const isInWindow = scene.route === 'endListing' && pick(3) === 0;
      await killWhileSent(scene, batchId, { isEnd: matchAfter(pick(16 * length + 24)), isInWindow });
    }
  }
  await closeScene(scene);
};

/** Kills one batch per seed; an error names the seed. */
export const killBatches = async (firstAt: number, count: number): Promise<void> => {
  const seeds = Array.from({ length: count }, (_, at) => (sampleSeed + firstAt + at) >>> 0);
  for (const [turn, seed] of seeds.entries()) {
    if (turn % seedsOfWorld === 0) await startFresh();
    try {
      await killBatch(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    if (turn % seedsOfWorld === seedsOfWorld - 1 || turn === count - 1) await world.close();
  }
};
