import { expect, test } from 'vitest';
import { createClock } from '../../../../src/core/base/clock.ts';

const startMachine = () => {
  const machine = { wallMs: 1_800_000_000_000, steadyMs: 500, uptimeMs: 90_000 };
  const clock = createClock({
    wallMs: () => machine.wallMs,
    steadyMs: () => machine.steadyMs,
    uptimeMs: () => machine.uptimeMs,
  });
  return { machine, clock };
};

test('setting the wall clock does not change the elapsed time', () => {
  const { machine, clock } = startMachine();
  const before = clock.elapsedMs();
  machine.wallMs -= 3_600_000;
  machine.steadyMs += 1_000;
  machine.uptimeMs += 1_000;
  expect(clock.elapsedMs() - before).toBe(1_000);
  expect(clock.now()).toBe(1_800_000_000_000 - 3_600_000);
});

test('the elapsed time includes the sleep of the machine', () => {
  const { machine, clock } = startMachine();
  const before = clock.elapsedMs();
  machine.uptimeMs += 8 * 3_600_000;
  expect(clock.elapsedMs() - before).toBe(8 * 3_600_000);
  machine.steadyMs += 5;
  machine.uptimeMs += 5;
  expect(clock.elapsedMs() - before).toBe(8 * 3_600_000 + 5);
});

test('an uptime counted in whole seconds does not make the elapsed time jump', () => {
  const { machine, clock } = startMachine();
  let last = clock.elapsedMs();
  for (let turn = 0; turn < 50; turn += 1) {
    machine.steadyMs += 100;
    machine.uptimeMs = Math.floor((machine.steadyMs + 90_000) / 1_000) * 1_000;
    const next = clock.elapsedMs();
    expect(next - last).toBeCloseTo(100);
    last = next;
  }
});
