import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate } from '../../../../src/core/base/gate.ts';
import { createRepeatPause } from '../../../../src/core/items/itemRunner.ts';
import { createPacing } from '../../../../src/core/service/pacing/pacing.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const never = new AbortController().signal;

const startStep = () => {
  const clock = createTestClock();
  const pause = createRepeatPause({ clock, gate: createGate(clock), pacing: createPacing({ clock, random: () => 0 }) });
  /** Returns how long a step is paused before it begins, in ms. */
  const waitedMs = async (step: 'line' | 'upload'): Promise<number> => {
    const fromMs = clock.elapsedMs();
    let hasBegun = false;
    void pause(step, never).then(() => (hasBegun = true));
    for (await turn(); !hasBegun; await turn()) clock.advance(clock.next() ?? 0);
    return clock.elapsedMs() - fromMs;
  };
  return { clock, waitedMs };
};

test('the pauses between immediate failures of an item step grow to twenty seconds', async () => {
  const { waitedMs } = startStep();
  const waits: number[] = [];
  for (let times = 0; times < 7; times += 1) waits.push(await waitedMs('line'));
  expect(waits).toEqual([0, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
});

test('the run time of an item step shortens the pause before its next repetition', async () => {
  const { clock, waitedMs } = startStep();
  await waitedMs('line');
  clock.jumpWall(-3_600_000);
  clock.advance(1_500);
  expect(await waitedMs('line')).toBe(500);
  clock.jumpWall(7_200_000);
  clock.advance(20_000);
  expect(await waitedMs('line')).toBe(0);
});

test('the repetitions of each item step are counted separately and forgotten after a minute', async () => {
  const { clock, waitedMs } = startStep();
  expect([await waitedMs('upload'), await waitedMs('line'), await waitedMs('upload')]).toEqual([0, 0, 2_000]);
  clock.advance(60_000);
  expect(await waitedMs('upload')).toBe(0);
});
