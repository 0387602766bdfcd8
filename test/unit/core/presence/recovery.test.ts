import { expect, test } from 'vitest';
import { noProofs, type StoredProofs } from '../../../../src/core/presence/proofStore.ts';
import { createRecovery } from '../../../../src/core/presence/recovery.ts';
import { createServiceClock } from '../../../../src/core/service/serviceClock.ts';
import { createTestClock, waitUntil } from '../../../helpers/testClock.ts';

const hourMs = 3_600_000;
const startOfService = Date.UTC(2026, 0, 5);

/** A companion that can be closed, and a service with a clock of its own. */
const createScene = (address = 'https://api.example.com') => {
  const clock = createTestClock();
  let stored: StoredProofs = noProofs;
  let isOver = false;
  let service = address;
  const store = {
    read: () => stored,
    change: (changes: Partial<StoredProofs>) => void (stored = { ...stored, ...changes }),
  };
  const open = (isReachable = true) => {
    const serviceClock = createServiceClock(clock, () => service);
    const hearService = () => serviceClock.note(new Date(startOfService + clock.elapsedMs()).toUTCString());
    if (isReachable) hearService();
    const recovery = createRecovery({
      ...{ store, clock, readServiceTime: serviceClock.read },
      onOver: () => void (isOver = true),
    });
    return { ...recovery, hearService };
  };
  return { clock, open, isOver: () => isOver, moveService: (to: string) => void (service = to) };
};

test('time while the companion is closed counts towards a recovery by the service’s clock', async () => {
  const { clock, open, isOver } = createScene();
  const first = open();
  first.start();
  clock.advance(2 * hourMs);
  first.stop();
  clock.suspend(21 * hourMs);
  const second = open();
  expect(second.readLeftMs()).toBe(hourMs);
  clock.advance(hourMs);
  await waitUntil(isOver, 'the end of the recovery');
});

test('the wait ends soon after the service is reached again', async () => {
  const { clock, open, isOver } = createScene();
  const first = open();
  first.start();
  first.stop();
  clock.suspend(30 * hourMs);
  const second = open(false);
  expect(second.readLeftMs()).toBe(24 * hourMs);
  second.hearService();
  expect(second.readLeftMs()).toBe(0);
  clock.advance(60_000);
  await waitUntil(isOver, 'the end of the recovery');
});

test.each([
  ['the service is not reached', () => createScene(), false, 'https://api.example.com'],
  ['another service answers', () => createScene(), true, 'https://clock.example.com'],
  ['the service is on this machine', () => createScene('http://127.0.0.1:4000'), true, 'http://127.0.0.1:4000'],
])('time in which the companion is closed does not count if %s', (_what, create, isReachable, address) => {
  const { clock, open, moveService } = create();
  const first = open();
  first.start();
  first.stop();
  clock.suspend(25 * hourMs);
  clock.jumpWall(48 * hourMs);
  moveService(address);
  expect(open(isReachable).readLeftMs()).toBe(24 * hourMs);
});
