import { expect, test } from 'vitest';
import { createClock } from '../../../../src/core/base/clock.ts';

const startMachine = () => {
  const machine = { wallMs: 1_800_000_000_000, steadyMs: 500, uptimeMs: 90_000, uptimeReads: 0 };
  const clock = createClock({
    wallMs: () => machine.wallMs,
    steadyMs: () => machine.steadyMs,
    uptimeMs: () => {
      machine.uptimeReads += 1;
      return machine.uptimeMs;
    },
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
  machine.wallMs += 8 * 3_600_000;
  expect(clock.elapsedMs() - before).toBe(8 * 3_600_000);
  machine.steadyMs += 5;
  machine.uptimeMs += 5;
  expect(clock.elapsedMs() - before).toBe(8 * 3_600_000 + 5);
});

test('the elapsed time includes a sleep after which the wall clock is set back by as much', () => {
  const { machine, clock } = startMachine();
  const before = clock.elapsedMs();
  machine.uptimeMs += 8 * 3_600_000 + 250;
  machine.steadyMs += 250;
  expect(clock.elapsedMs() - before).toBe(8 * 3_600_000 + 250);
});

test('the uptime is not read for each time within a quarter of a second', () => {
  const { machine, clock } = startMachine();
  const readsAtStart = machine.uptimeReads;
  for (let turn = 0; turn < 249; turn += 1) {
    machine.steadyMs += 1;
    machine.uptimeMs += 1;
    machine.wallMs += 1;
    clock.elapsedMs();
  }
  expect(machine.uptimeReads).toBe(readsAtStart);
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
