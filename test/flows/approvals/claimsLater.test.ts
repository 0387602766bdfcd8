import * as z from 'zod';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Asker } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { toApprovalRecord } from '../../../src/bridge/assistantRecords.ts';
import { createLinkClassifier } from '../../../src/bridge/liveLinks.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { requestPrompt, countRequests, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const listingPath = '/listings/{listingId}';
const publishPath = '/market/publish/{listingId}';
const readState = (approvalId: string) => getApprovals().readView(approvalId).state;
const areFaultsUsed = async () => ((await world.practice.control('GET', '/faults')) as unknown[]).length === 0;
const leftFaults = z.array(z.looseObject({ times: z.int() }));
const clearFaults = () => world.practice.control('DELETE', '/faults');

/** Approves a publish; every read after the sending starts gets a false response. */
const publishUnderLies = async (times: number, by?: Asker, lie: object = { body: { status: 'pending_review' } }) => {
  const listingId = await createWrittenListing(world);
  const shown = await requestPrompt(world, 'publishListing', { params: { listingId } }, by);
  await world.practice.fault({ method: 'POST', path: publishPath, delayMs: 600_000 });
  const yes = world.pressYes(shown.approvalId, shown.digest);
  // The companion can close before the approval resolves.
  yes.catch(() => undefined);
  await waitUntil(areFaultsUsed, 'the publish');
  await world.practice.fault({ method: 'GET', path: listingPath, times, ...lie });
  await world.practice.advance(600_001);
  return { listingId, approvalId: shown.approvalId, yes };
};
const waitForEnd = async (yes: Promise<ApprovalView>): Promise<ApprovalView> => {
  let view: ApprovalView | null = null;
  void yes.then((ended) => (view = ended));
  return world.until(() => view, 'the end of the readings');
};

describe('publishes that the service reports as done', () => {
  test('a publish is done as soon as a read shows the listing live', async () => {
    const shown = await requestPrompt(world, 'publishListing', {
      params: { listingId: await createWrittenListing(world) },
    });
    const reads = await countRequests(world, 'readListing');
    expect((await world.pressYes(shown.approvalId, shown.digest)).state).toBe('done');
    // No more reads than for the approval and the check after the publish.
    expect((await countRequests(world, 'readListing')) - reads).toBeLessThanOrEqual(3);
  });

  test('a publish is done if only the second read shows the listing live', async () => {
    const { approvalId, yes } = await publishUnderLies(1);
    expect(await waitForEnd(yes)).toMatchObject({
      state: 'done',
      outcome: { sentence: 'Published. The listing is live.' },
    });
    expect(getApprovals().readView(approvalId).outcome?.url).toMatch(/market-pages/);
    expect(await world.happened('publish')).toBe(1);
  });

  test('if the listing contradicts a publish, the assistant never gets the service’s answer', async () => {
    const by = pairAsker(world, 'Hopeful');
    const { approvalId, yes } = await publishUnderLies(4, by);
    await waitUntil(async () => (await countRequests(world, 'publishListing')) === 1, 'the publish');
    expect(readState(approvalId)).toBe('sending');
    const readRecord = () =>
      toApprovalRecord(
        getApprovals().listOfAsker(by.assistantId)[0] ?? expect.fail('No approval.'),
        null,
        createLinkClassifier(world.companion().pageLinks),
      );
    expect(readRecord()).not.toHaveProperty('answer');
    expect((await waitForEnd(yes)).state).toBe('unconfirmed');
    expect(readRecord()).toMatchObject({ state: 'unconfirmed', code: 'CONTRADICTED' });
    expect(readRecord()).not.toHaveProperty('answer');
  });

  test('an unconfirmed publish uses up the budget and can still be confirmed later', async () => {
    const by = pairAsker(world, 'Counted');
    world.companion().assistants.change(by.assistantId, { publishesPerDay: 1 });
    const { listingId, approvalId, yes } = await publishUnderLies(100_000, by);
    expect(await waitForEnd(yes)).toMatchObject({ state: 'unconfirmed', mayUnlock: false });
    expect(
      await world.perform('updateListing', { params: { listingId }, body: { price: 900 } }).catch(getCode),
    ).not.toBe('BEING_DECIDED');
    await expect(requestPrompt(world, 'publishListing', { params: { listingId } }, by)).rejects.toMatchObject({
      code: 'BUDGET_SPENT',
    });
    await clearFaults();
    await world.until(() => readState(approvalId) === 'done', 'a later reading');
  });

  test('an unconfirmed publish can be requested again with a new approval', async () => {
    const { listingId, approvalId, yes } = await publishUnderLies(100_000);
    await waitForEnd(yes);
    const again = await requestPrompt(world, 'publishListing', { params: { listingId } });
    expect(again.approvalId).not.toBe(approvalId);
  });

  test('after a restart, a publish whose outcome was not checked is checked and its listing unlocked', async () => {
    const { listingId, approvalId } = await publishUnderLies(100_000);
    await waitUntil(async () => (await countRequests(world, 'publishListing')) === 1, 'the publish');
    await waitUntil(() => isAnswerStored(approvalId), 'the answer on disk');
    await world.stop();
    await world.begin();
    await world.until(() => readState(approvalId) === 'unconfirmed', 'the last reading');
    expect(getApprovals().readView(approvalId).outcome?.code).toBe('CONTRADICTED');
    await world.stop();
    await world.begin();
    expect(
      await world.perform('updateListing', { params: { listingId }, body: { price: 900 } }).catch(getCode),
    ).not.toBe('BEING_DECIDED');
    await clearFaults();
    await world.until(() => readState(approvalId) === 'done', 'a later reading');
    expect(await world.happened('publish')).toBe(1);
  });

  /** Returns the number of listing reads, including those that the fault answered. */
  const countReads = async (): Promise<number> => {
    const [left] = leftFaults.parse(await world.practice.control('GET', '/faults'));
    return (await countRequests(world, 'readListing')) + (left ? 100_000 - left.times : 0);
  };
  /** Returns the times of the listing reads during a period, in ms from its start. */
  const listReadTimes = async (ms: number): Promise<number[]> => {
    const at: number[] = [];
    let count = await countReads();
    for (let passedMs = 0; passedMs <= ms; passedMs += 1_000) {
      world.clock.advance(1_000);
      const now = await countReads();
      at.push(...Array.from({ length: now - count }, () => passedMs));
      count = now;
    }
    return at;
  };

  test('a listing that cannot be read is read less and less often for ten minutes', async () => {
    const { listingId, approvalId } = await publishUnderLies(100_000, undefined, { status: 503 });
    await waitUntil(() => isAnswerStored(approvalId), 'the answer on disk');
    const reads = await listReadTimes(13 * 60_000);
    const gaps = reads.slice(1).map((at, index) => at - (reads[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5_000);
    expect(reads.length).toBeLessThanOrEqual(12);
    const view = getApprovals().readView(approvalId);
    expect(view).toMatchObject({ state: 'unconfirmed', mayUnlock: false, outcome: { code: 'NOT_CHECKED' } });
    expect(view.outcome?.sentence).toContain('could not be read for ten minutes');
    await clearFaults();
    expect(await listReadTimes(10 * 60_000)).toEqual([]);
    expect(
      await world.perform('updateListing', { params: { listingId }, body: { price: 900 } }).catch(getCode),
    ).not.toBe('BEING_DECIDED');
    await world.listing(listingId);
    await world.until(() => readState(approvalId) === 'done', 'the reading after that');
  });

  test('a publish is not confirmed if a read returns another listing', async () => {
    const { yes } = await publishUnderLies(100_000, undefined, { body: { listingId: 'lst_other' } });
    expect(await waitForEnd(yes)).toMatchObject({ state: 'unconfirmed', outcome: { code: 'UNCONFIRMED' } });
  });

  test.each(['failed', 'error'])(
    'a publish is checked by reading the listing if the response contains both success and "%s"',
    async (word) => {
      const shown = await requestPrompt(world, 'publishListing', {
        params: { listingId: await createWrittenListing(world) },
      });
      await world.practice.fault({ method: 'POST', path: publishPath, body: { success: true, status: word } });
      const yes = world.pressYes(shown.approvalId, shown.digest);
      await waitUntil(() => readState(shown.approvalId) === 'unconfirmed', 'the check');
      expect(getApprovals().readView(shown.approvalId).outcome?.sentence).toContain(`“status: ${word}”`);
      expect((await waitForEnd(yes)).state).toBe('done');
    },
  );
});

describe('a publish without a response', () => {
  test('the outcome of a lost publish is unknown if the listing cannot be read for ten minutes', async () => {
    const listingId = await createWrittenListing(world);
    const { approvalId, digest } = await requestPrompt(world, 'publishListing', { params: { listingId } });
    await world.practice.fault({ method: 'POST', path: publishPath, drop: 'before' });
    const yes = world.pressYes(approvalId, digest);
    yes.catch(() => undefined);
    await waitUntil(() => readState(approvalId) === 'unconfirmed', 'the check');
    await world.practice.fault({ method: 'GET', path: listingPath, times: 100_000, status: 503 });
    const from = world.clock.elapsedMs();
    await world.until(() => world.clock.elapsedMs() - from > 13 * 60_000, 'thirteen minutes');
    const told = getApprovals().readView(approvalId);
    expect(told).toMatchObject({ state: 'unconfirmed', mayUnlock: true, outcome: { code: 'UNCONFIRMED' } });
    expect(told.outcome?.sentence).toBe(
      'The service did not answer, and the listing could not be read for ten minutes. It is not known whether it went through; it is looked up again when the listing is next read, and not sent again.',
    );
    await clearFaults();
    await world.listing(listingId);
    await world.until(() => readState(approvalId) === 'failed', 'the reading after that');
    expect(getApprovals().readView(approvalId).outcome?.code).toBe('NOT_DONE');
  });
});

test('a publish that the service refuses but still performs uses up the assistant’s budget', async () => {
  const by = pairAsker(world, 'Counted');
  world.companion().assistants.change(by.assistantId, { publishesPerDay: 1 });
  const shown = await requestPrompt(
    world,
    'publishListing',
    { params: { listingId: await createWrittenListing(world) } },
    by,
  );
  await world.practice.fault({ method: 'POST', path: publishPath, status: 409, code: 'MARKET_REFUSED', done: true });
  expect(await waitForEnd(world.pressYes(shown.approvalId, shown.digest))).toMatchObject({
    state: 'failed',
    outcome: { code: 'REFUSED_YET_DONE' },
  });
  const next = { params: { listingId: await createWrittenListing(world) } };
  await expect(requestPrompt(world, 'publishListing', next, by)).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
});

const getCode = (error: unknown): unknown => (error as { code?: unknown }).code;
const isAnswerStored = (approvalId: string): boolean => {
  const row = world.companion().approvals.requireApproval(approvalId);
  return row.answer !== null;
};

describe('a service that responds with an error', () => {
  const said = 'Our shelves fell over. “Sorry”';
  const publishWithFault = async (fault: Record<string, unknown>) => {
    const shown = await requestPrompt(world, 'publishListing', {
      params: { listingId: await createWrittenListing(world) },
    });
    await world.practice.fault({ method: 'POST', path: publishPath, ...fault });
    const yes = world.pressYes(shown.approvalId, shown.digest);
    yes.catch(() => undefined);
    await waitUntil(() => readState(shown.approvalId) === 'unconfirmed', 'the check');
    return { approvalId: shown.approvalId, yes, sentence: getApprovals().readView(shown.approvalId).outcome?.sentence };
  };

  test('the service’s error message is quoted, and the quotation marks in the message are replaced', async () => {
    const { yes, sentence } = await publishWithFault({ status: 500, error: said });
    expect(sentence).toBe(
      "The service answered with an error: “Our shelves fell over. 'Sorry'”. The companion is checking whether it went through; it is not sent again.",
    );
    expect(await waitForEnd(yes)).toMatchObject({
      state: 'failed',
      outcome: {
        code: 'NOT_DONE',
        sentence:
          "The service answered with an error: “Our shelves fell over. 'Sorry'”. A check shows that nothing happened. You can ask again.",
      },
    });
  });

  test('the service’s error message is still quoted after a restart', async () => {
    const { approvalId } = await publishWithFault({ status: 502, error: said });
    await world.stop();
    await world.begin();
    await world.until(() => readState(approvalId) === 'failed', 'the verdict');
    expect(getApprovals().readView(approvalId).outcome?.sentence).toContain('Our shelves fell over.');
  });

  test.each([
    ['answered with HTTP 502', { status: 502, text: '<html>Bad gateway</html>' }, 'an error: “HTTP 502”'],
    ['did not answer', { drop: 'before' }, 'did not answer'],
  ])('the outcome of a publish says that the service %s', async (_name, fault, words) => {
    const { yes, sentence } = await publishWithFault(fault);
    expect(sentence).toContain(words);
    const view = await waitForEnd(yes);
    expect(view.state).toBe('failed');
    expect(view.outcome?.sentence).toContain(words);
  });

  test('a publish with a malformed response is confirmed by reading the listing', async () => {
    const { yes, sentence } = await publishWithFault({ text: '[1,' });
    expect(sentence).toContain('could not be understood');
    expect((await waitForEnd(yes)).state).toBe('done');
  });

  test('an edit whose retry cannot be sent is reported with the error of the first attempt', async () => {
    await world.close();
    let address: string | null = null;
    world = await startWorld({ reach: () => address });
    const listingId = await createWrittenListing(world);
    await world.practice.fault({ method: 'PUT', path: listingPath, status: 500, error: said });
    let end: unknown = null;
    world
      .perform('updateListing', { params: { listingId }, body: { price: 5 } })
      .catch((error: unknown) => (end = error));
    await waitUntil(areFaultsUsed, 'the first try');
    address = 'http://127.0.0.1:9';
    expect(await world.until(() => end, 'the error')).toMatchObject({ message: said, effect: 'unclear' });
  });
});

test('several publishes with unknown outcome are checked in parallel', async () => {
  const count = 4;
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const shown = await requestPrompt(world, 'publishListing', {
      params: { listingId: await createWrittenListing(world) },
    });
    await world.practice.fault({ method: 'POST', path: publishPath, drop: 'before' });
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await waitUntil(() => readState(shown.approvalId) === 'unconfirmed', 'the check');
    await world.practice.fault({ method: 'GET', path: listingPath, times: 100_000, status: 503, error: 'Closed' });
    await waitForEnd(yes);
    await clearFaults();
    ids.push(shown.approvalId);
  }
  expect(ids.map(readState)).toEqual(ids.map(() => 'unconfirmed'));
  // The next read of each listing is due.
  world.clock.advance(120_000);
  const began = world.clock.elapsedMs();
  let isOver = false;
  void getApprovals()
    .settleUnconfirmed()
    .then(() => (isOver = true));
  await world.until(() => isOver, 'the readings');
  expect(ids.map(readState)).toEqual(ids.map(() => 'failed'));
  expect(world.clock.elapsedMs() - began).toBeLessThan(45_000);
});
