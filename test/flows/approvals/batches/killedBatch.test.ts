import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { BatchRequest, BatchView } from '../../../../src/core/approvals/batches.ts';
import { copyDatabase } from '../../../helpers/copyDatabase.ts';
import { pairedAsker } from '../../../helpers/assistant.ts';
import { serviceKey, writtenListing } from '../../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const person = { kind: 'person' } as const;
const batches = () => world.companion().batches;
const current = (): BatchView | null => batches().listOpen()[0] ?? null;
const states = (batch: BatchView | null) => (batch?.rows ?? []).map(({ approval }) => approval?.state);
const ticks = (batch: BatchView | null) =>
  (batch?.rows ?? []).flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );

/**
 * Cuts the companion off at the failpoint that `isEnd` matches: no later request reaches the service, and the next
 * start finds the database as of that failpoint.
 */
const startKilled = async () => {
  const kill = { isDead: false, isEnd: (_name: string): boolean => false };
  const endNow = (): void => {
    copyDatabase(world.dataDir, join(world.dataDir, 'left'));
    kill.isDead = true;
  };
  const onMoment = (name: unknown): void => {
    if (!kill.isDead && kill.isEnd(String(name))) endNow();
  };
  // A database publishes its failpoints only if there is a subscriber when it opens.
  subscribe('listing-companion.failpoints', onMoment);
  world = await startWorld({ reach: () => (kill.isDead ? 'http://127.0.0.1:1' : null) });
  return {
    kill,
    endNow,
    isDead: () => kill.isDead,
    startAgain: async () => {
      unsubscribe('listing-companion.failpoints', onMoment);
      // Retries of the killed companion must fail before the next one starts.
      await world.until(() => current()?.state !== 'sending', 'the last retries');
      await world.stop();
      copyDatabase(join(world.dataDir, 'left'), world.dataDir);
      kill.isDead = false;
      await world.begin();
      await world.until(() => {
        const open = world.companion().approvals.listUnsettled();
        return open.length === 0;
      }, 'the outcomes of requests in flight');
    },
  };
};

const nthOf = (name: RegExp, at: number): ((met: string) => boolean) => {
  let count = 0;
  return (met) => name.test(met) && (count += 1) > at;
};
const publishes = async (count: number): Promise<BatchRequest[]> => {
  const requests: BatchRequest[] = [];
  for (let at = 0; at < count; at += 1)
    requests.push({
      route: 'publishListing',
      input: { params: { listingId: await writtenListing(world) }, body: {} },
    });
  return requests;
};
const ends = async (count: number): Promise<BatchRequest[]> => {
  const key = await serviceKey(world);
  const requests: BatchRequest[] = [];
  for (let at = 0; at < count; at += 1)
    requests.push({ route: 'endListing', input: { params: { listingId: await world.practice.live(key) } } });
  return requests;
};
const yesRows = () =>
  world
    .companion()
    .searchHistory.search({ q: '', limit: 200 })
    .rows.filter(({ kind }) => kind === 'approval.approve');

/** Approves the pending rows and waits until the batch is over. */
const finish = async () => {
  await batches().approveRows(current()?.batchId ?? '', ticks(current()));
  return world.until(() => (current()?.state === 'over' ? current() : null), 'the end of the batch');
};

describe('a crash while a batch is being sent', () => {
  test.each([0, 1, 3])('after a crash at %i of 4 publishes, the remaining rows need another approval', async (done) => {
    const { kill, isDead, startAgain } = await startKilled();
    const [batch] = await batches().requestBatches(person, await publishes(4));
    kill.isEnd = nthOf(/^before: publishListing is sent$/, done);
    await batches().approveRows(batch?.batchId ?? '', ticks(batch ?? null));
    await world.until(isDead, 'the end');
    await startAgain();
    // The approval of all rows was stored.
    expect(yesRows()).toHaveLength(4);
    expect(await world.happened('publish')).toBe(done);
    const unsure = states(current()).filter((state) => state === 'failed').length;
    expect(unsure).toBe(1);
    expect(current()).toMatchObject({ interrupted: 3 - done, state: done === 3 ? 'over' : 'waiting' });
    if (done === 3) return;
    expect((await finish()).interrupted).toBe(0);
    expect(await world.happened('publish')).toBe(3);
  });

  test('a crash in the undo window ends no listing and interrupts all rows', async () => {
    const { endNow, startAgain } = await startKilled();
    const [batch] = await batches().requestBatches(person, await ends(3));
    expect((await batches().approveRows(batch?.batchId ?? '', ticks(batch ?? null))).state).toBe('held');
    endNow();
    await startAgain();
    expect(current()).toMatchObject({ interrupted: 3, state: 'waiting' });
    expect(await world.happened('end')).toBe(0);
    await finish();
    expect(await world.happened('end')).toBe(3);
  });

  test('a batch that the person stops is not reported as interrupted', async () => {
    world = await startWorld();
    const [batch] = await batches().requestBatches(person, await publishes(2));
    await batches().approveRows(batch?.batchId ?? '', ticks(batch ?? null));
    batches().stopSending(batch?.batchId ?? '');
    const stopped = await world.until(() => (current()?.state === 'waiting' ? current() : null), 'the stop');
    expect(stopped.interrupted).toBe(0);
  });
});

describe('a crash while a batch is being requested', () => {
  test.each([1, 2, 3])('a crash with %i of 3 rows stored withdraws every row of the batch', async (rows) => {
    const { kill, isDead, startAgain } = await startKilled();
    const requests = await publishes(3);
    const by = pairedAsker(world, 'Garage Lister');
    kill.isEnd = nthOf(/^after: .*\binsert into approvals\b/, rows - 1);
    const asking = { isOver: false };
    void batches()
      .requestBatches(by, requests)
      .catch(() => undefined)
      .finally(() => (asking.isOver = true));
    await world.until(() => isDead() && asking.isOver, 'the end');
    await startAgain();
    await world.companion().approvals.recoverAfterStart();
    const ofAsker = () =>
      world
        .companion()
        .approvals.listOfAsker(by.assistantId)
        .map(({ state }) => state);
    expect(ofAsker()).toEqual(Array(rows).fill('withdrawn'));
    expect(current()).toBeNull();
    const [again] = await batches().requestBatches(by, requests);
    expect(states(again ?? null)).toEqual(['pending', 'pending', 'pending']);
  });
});
