import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { BatchView } from '../../../../src/core/approvals/batches.ts';
import type { BatchRequest } from '../../../../src/core/approvals/checks/batchRequests.ts';
import { copyDatabase } from '../../../helpers/copyDatabase.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { readServiceKey, createWrittenListing } from '../../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { listLedgerRows } from '../../../helpers/presence/listLedgerRows.ts';

let world: World;
afterEach(() => world.close());

const person = { kind: 'person' } as const;
const getBatches = () => world.companion().batches;
const getOpenBatch = (): BatchView | null => getBatches().listOpen()[0] ?? null;
const listStates = (batch: BatchView | null) => (batch?.rows ?? []).map(({ approval }) => approval?.state);
const listPendingChoices = (batch: BatchView | null) =>
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
  const onFailpoint = (name: unknown): void => {
    if (!kill.isDead && kill.isEnd(String(name))) endNow();
  };
  // A database publishes its failpoints only if there is a subscriber when it opens.
  subscribe('listing-companion.failpoints', onFailpoint);
  world = await startWorld({ reach: () => (kill.isDead ? 'http://127.0.0.1:1' : null) });
  return {
    kill,
    endNow,
    isDead: () => kill.isDead,
    startAgain: async () => {
      unsubscribe('listing-companion.failpoints', onFailpoint);
      // Retries of the killed companion must fail before the next one starts.
      await world.until(() => getOpenBatch()?.state !== 'sending', 'the last retries');
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

const matchNth = (name: RegExp, at: number): ((met: string) => boolean) => {
  let count = 0;
  return (met) => name.test(met) && (count += 1) > at;
};
const createPublishRequests = async (count: number): Promise<BatchRequest[]> => {
  const requests: BatchRequest[] = [];
  for (let at = 0; at < count; at += 1)
    requests.push({
      route: 'publishListing',
      input: { params: { listingId: await createWrittenListing(world) }, body: {} },
    });
  return requests;
};
const createEndRequests = async (count: number): Promise<BatchRequest[]> => {
  const key = await readServiceKey(world);
  const requests: BatchRequest[] = [];
  for (let at = 0; at < count; at += 1)
    requests.push({ route: 'endListing', input: { params: { listingId: await world.practice.live(key) } } });
  return requests;
};
const listApprovalRows = () => listLedgerRows(world, 'approval.approve');

/** Approves the pending rows and waits until the batch is over. */
const approveRest = async () => {
  await world.pressYesToRows(getOpenBatch()?.batchId ?? '', listPendingChoices(getOpenBatch()));
  return world.until(() => (getOpenBatch()?.state === 'over' ? getOpenBatch() : null), 'the end of the batch');
};

describe('a crash while a batch is being sent', () => {
  test.each([0, 1, 3])('after a crash at %i of 4 publishes, the remaining rows need another approval', async (done) => {
    const { kill, isDead, startAgain } = await startKilled();
    const [batch] = await getBatches().requestBatches(person, await createPublishRequests(4));
    kill.isEnd = matchNth(/^before: publishListing is sent$/, done);
    await world.pressYesToRows(batch?.batchId ?? '', listPendingChoices(batch ?? null));
    await world.until(isDead, 'the end');
    await startAgain();
    // The approval of all rows was stored.
    expect(await listApprovalRows()).toHaveLength(4);
    expect(await world.happened('publish')).toBe(done);
    const unsure = listStates(getOpenBatch()).filter((state) => state === 'failed').length;
    expect(unsure).toBe(1);
    expect(getOpenBatch()).toMatchObject({ interrupted: 3 - done, state: done === 3 ? 'over' : 'waiting' });
    if (done === 3) return;
    expect((await approveRest()).interrupted).toBe(0);
    expect(await world.happened('publish')).toBe(3);
  });

  test('no listing is ended if a crash interrupts the undo window', async () => {
    const { endNow, startAgain } = await startKilled();
    const [batch] = await getBatches().requestBatches(person, await createEndRequests(3));
    expect((await world.pressYesToRows(batch?.batchId ?? '', listPendingChoices(batch ?? null))).state).toBe('held');
    endNow();
    await startAgain();
    expect(getOpenBatch()).toMatchObject({ interrupted: 3, state: 'waiting' });
    expect(await world.happened('end')).toBe(0);
    await approveRest();
    expect(await world.happened('end')).toBe(3);
  });

  test('a batch that the person stops is not reported as interrupted', async () => {
    world = await startWorld();
    const [batch] = await getBatches().requestBatches(person, await createPublishRequests(2));
    await world.pressYesToRows(batch?.batchId ?? '', listPendingChoices(batch ?? null));
    getBatches().stopSending(batch?.batchId ?? '');
    const stopped = await world.until(() => (getOpenBatch()?.state === 'waiting' ? getOpenBatch() : null), 'the stop');
    expect(stopped.interrupted).toBe(0);
  });
});

describe('a crash while a batch is being requested', () => {
  test.each([1, 2, 3])('a crash after %i of 3 rows were stored withdraws the whole batch', async (rows) => {
    const { kill, isDead, startAgain } = await startKilled();
    const requests = await createPublishRequests(3);
    const by = pairAsker(world, 'Garage Lister');
    kill.isEnd = matchNth(/^after: .*\binsert into approvals\b/, rows - 1);
    const asking = { isOver: false };
    void getBatches()
      .requestBatches(by, requests)
      .catch(() => undefined)
      .finally(() => (asking.isOver = true));
    await world.until(() => isDead() && asking.isOver, 'the end');
    await startAgain();
    await world.companion().approvals.recoverAfterStart();
    const listStatesOfAsker = () =>
      world
        .companion()
        .approvals.listOfAsker(by.assistantId)
        .map(({ state }) => state);
    expect(listStatesOfAsker()).toEqual(Array(rows).fill('withdrawn'));
    expect(getOpenBatch()).toBeNull();
    const [again] = await getBatches().requestBatches(by, requests);
    expect(listStates(again ?? null)).toEqual(['pending', 'pending', 'pending']);
  });
});
