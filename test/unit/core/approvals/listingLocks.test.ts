import { expect, test } from 'vitest';
import { createListingLockRegistry } from '../../../../src/core/approvals/listingLocks.ts';
import { ServiceError } from '../../../../src/core/service/serviceError.ts';
import { waitUntil, createTestClock } from '../../../helpers/testClock.ts';

const createFailure = (effect: ServiceError['effect'], status: number) =>
  new ServiceError({ code: 'FAILED', sentence: 'It failed.', effect, status });

/** Lets a write to a listing fail with `error`, then requests a decision about this listing. */
const decideAfter = async (error: ServiceError) => {
  const clock = createTestClock();
  const locks = createListingLockRegistry(clock);
  await locks.runWrite('li_1', () => Promise.reject(error)).catch(() => undefined);
  const decision = { isTaken: false };
  const taken = locks.acquire('li_1', 'ap_1').then((hold) => {
    decision.isTaken = true;
    return hold;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return { clock, locks, decision, taken };
};

test('an approval decision is delayed while a write with a lost response can still arrive', async () => {
  const { clock, locks, decision, taken } = await decideAfter(createFailure('unclear', 0));
  expect(decision.isTaken).toBe(false);
  clock.advance(29_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(decision.isTaken).toBe(false);
  clock.advance(1);
  await waitUntil(() => decision.isTaken, 'the decision');
  expect(locks.isLockValid(await taken)).toBe(true);
});

test.each([
  ['that the service refused', createFailure('refused', 400)],
  ['that was never sent', createFailure('unreached', 0)],
  ['that failed with a server error', createFailure('unclear', 500)],
])('an approval decision is not delayed by a write %s', async (_which, error) => {
  const { decision } = await decideAfter(error);
  expect(decision.isTaken).toBe(true);
});
