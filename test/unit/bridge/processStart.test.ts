import { expect, test } from 'vitest';
import { isLaterProcess, readStartTicks, startAtIn, startTicksIn } from '../../../src/bridge/processStart.ts';

const stat = (name: string) =>
  `4711 (${name}) S 1 4711 4711 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 123456 1000 200 18446744073709551615 1 1`;

test('the start of a process on Linux is read past whatever its name is', () => {
  for (const name of ['node', 'a b', ') S 1 (', '(1)'])
    expect(startTicksIn('boot-1\n', stat(name)), name).toBe('boot-1 123456');
  expect(startTicksIn('boot-1\n', '')).toBeNull();
});

test('the start of a process on macOS is read as UTC', () => {
  expect(startAtIn('Thu Nov 26 13:22:54 2026    \n')).toBe(Date.UTC(2026, 10, 26, 13, 22, 54));
  expect(startAtIn('')).toBeNull();
});

test('a process is later only where another start was written down', async () => {
  const startTicks = await readStartTicks(process.pid);
  const startedAt = new Date().toISOString();
  expect(await isLaterProcess(process.pid, { startedAt, startTicks })).toBe(false);
  expect(await isLaterProcess(process.pid, { startedAt, startTicks: null })).toBe(false);
  // Where nothing can be read, the proof decides.
  expect(await isLaterProcess(2 ** 22 + 1, { startedAt, startTicks })).toBe(false);
  if (process.platform === 'linux')
    expect(await isLaterProcess(process.pid, { startedAt, startTicks: 'another boot 1' })).toBe(true);
});
