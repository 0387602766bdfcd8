import { expect, test } from 'vitest';
import { createSharedTurn, noteUse, takeProcessorTurns } from '../../../src/host/dataThread/processorTurns.ts';

/** A thread whose time passes only in `work` and while it waits. `onWait` can change the turn, as another thread does. */
const createThread = (turn: Int32Array, onWait: () => void = () => undefined) => {
  let now = 0;
  const waits: { isForTurn: boolean; ms: number }[] = [];
  const turns = takeProcessorTurns(turn, {
    elapsedMs: () => now,
    waitForTurn: (cell, ms) => {
      waits.push({ isForTurn: true, ms });
      onWait();
      if (Atomics.load(cell, 0) === 1) now += ms;
    },
    rest: (ms) => {
      waits.push({ isForTurn: false, ms });
      onWait();
      now += ms;
    },
  });
  return { ...turns, waits, work: (ms: number) => (now += ms), now: () => now };
};

test('a thread rests as long as it worked, and works on at once after short steps', () => {
  const thread = createThread(createSharedTurn());
  thread.work(1);
  thread.pause();
  expect(thread.waits).toEqual([]);
  thread.work(7);
  thread.pause();
  expect(thread.waits).toEqual([{ isForTurn: false, ms: 8 }]);
  thread.work(1);
  thread.pause();
  expect(thread.now()).toBe(17);
});

test('a thread rests three times as long as it worked until two seconds after the last use of a window', () => {
  const turn = createSharedTurn();
  noteUse(turn);
  const thread = createThread(turn);
  const rest = (): number => {
    thread.work(10);
    thread.pause();
    return thread.waits.at(-1)?.ms ?? 0;
  };
  // A thread that starts does not know when the last use was.
  expect(rest()).toBe(10);
  noteUse(turn);
  expect(rest()).toBe(30);
  thread.work(1_949);
  thread.pause();
  expect(thread.waits.at(-1)?.ms).toBe(200);
  expect(rest()).toBe(10);
  noteUse(turn);
  expect(rest()).toBe(30);
});

test('a thread rests only briefly after the machine slept during its work', () => {
  const thread = createThread(createSharedTurn());
  thread.work(8 * 3_600_000);
  thread.pause();
  expect(thread.waits).toEqual([{ isForTurn: false, ms: 200 }]);
});

test('a thread gives its turn to others while it rests and when it ends', () => {
  const turn = createSharedTurn();
  const turnsWhileResting: number[] = [];
  const thread = createThread(turn, () => turnsWhileResting.push(Atomics.load(turn, 0)));
  expect(Atomics.load(turn, 0)).toBe(1);
  thread.work(20);
  thread.pause();
  expect(turnsWhileResting).toEqual([0]);
  expect(Atomics.load(turn, 0)).toBe(1);
  thread.end();
  expect(Atomics.load(turn, 0)).toBe(0);
});

test('a thread waits for the turn of another thread', () => {
  const turn = createSharedTurn();
  const other = createThread(turn);
  const thread = createThread(turn, other.end);
  expect(thread.waits).toEqual([{ isForTurn: true, ms: 200 }]);
  expect(thread.now()).toBe(0);
  expect(Atomics.load(turn, 0)).toBe(1);
});

test('a thread works after 200 ms if another thread was ended during its turn', () => {
  const turn = createSharedTurn();
  createThread(turn);
  const thread = createThread(turn);
  expect(thread.now()).toBe(200);
  thread.work(10);
  thread.pause();
  expect(thread.now()).toBe(220);
  thread.end();
  expect(createThread(turn).waits).toEqual([]);
});
