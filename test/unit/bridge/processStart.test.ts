import { expect, test } from 'vitest';
import { isProcessGone, parseLinuxProcess, parseMacProcess, readStartTicks } from '../../../src/bridge/processStart.ts';

const formatStat = (name: string, state = 'S') =>
  `4711 (${name}) ${state} 1 4711 4711 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 123456 1000 200 18446744073709551615 1 1`;

test('the start time of a Linux process is read correctly for any process name', () => {
  for (const name of ['node', 'a b', ') S 1 (', '(1)'])
    expect(parseLinuxProcess('boot-1\n', formatStat(name)), name).toMatchObject({
      hasEnded: false,
      startTicks: 'boot-1 123456',
    });
  expect(parseLinuxProcess('boot-1\n', '')).toBeNull();
});

test('the start time of a macOS process is read as UTC', () => {
  const startAt = Date.UTC(2026, 10, 26, 13, 22, 54);
  expect(parseMacProcess('Ss   Thu Nov 26 13:22:54 2026    \n')).toEqual({ hasEnded: false, startAt });
  expect(parseMacProcess('')).toBeNull();
});

test('a zombie process is treated as ended', () => {
  for (const state of ['Z', 'X', 'x'])
    expect(parseLinuxProcess('boot-1', formatStat('node', state))?.hasEnded, state).toBe(true);
  for (const state of ['R', 'S', 'D', 'T', 'I'])
    expect(parseLinuxProcess('boot-1', formatStat('Z', state))?.hasEnded).toBe(false);
  expect(parseMacProcess('Z+   Thu Nov 26 13:22:54 2026')?.hasEnded).toBe(true);
});

test('a process is treated as gone only if the process with its id has a different start', async () => {
  const startTicks = await readStartTicks(process.pid);
  const startedAt = new Date().toISOString();
  expect(await isProcessGone(process.pid, { startedAt, startTicks })).toBe(false);
  expect(await isProcessGone(process.pid, { startedAt, startTicks: null })).toBe(false);
  // A process whose start cannot be read is not treated as gone.
  expect(await isProcessGone(2 ** 22 + 1, { startedAt, startTicks })).toBe(false);
  if (process.platform === 'linux')
    expect(await isProcessGone(process.pid, { startedAt, startTicks: 'another boot 1' })).toBe(true);
});

test.skipIf(process.platform === 'win32')(
  'without recorded start ticks, the start time shows whether a process is gone',
  async () => {
    const before = new Date(Date.now() - process.uptime() * 1_000 - 60_000).toISOString();
    expect(await isProcessGone(process.pid, { startedAt: before, startTicks: null })).toBe(true);
  },
);
