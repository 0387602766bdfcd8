import { expect, test } from 'vitest';
import { isTrayShown, type RunProgram } from '../../../src/main/tray/isTrayShown.ts';

const absent = (): Promise<never> => Promise.reject(new Error('ENOENT'));
const saying = (said: Partial<Record<string, string | null>>): RunProgram => {
  return (program) => (program in said ? Promise.resolve(said[program] ?? null) : absent());
};

test.each([
  ['a panel that shows tray icons', { 'dbus-send': '   variant       boolean true\n' }, true],
  ['a tray service without a panel', { 'dbus-send': '   variant       boolean false\n' }, false],
  ['no tray service or no bus', { 'dbus-send': null }, false],
  ['a panel, checked with gdbus', { gdbus: '(<true>,)\n' }, true],
  ['no panel, checked with gdbus', { gdbus: '(<false>,)\n' }, false],
  ['no program for the check', {}, true],
])('the companion detects whether a desktop shows a tray: %s', async (_what, said, shown) => {
  expect(await isTrayShown('linux', saying(said))).toBe(shown);
});

test('macOS and Windows always have a tray and need no check', async () => {
  expect(await isTrayShown('darwin', absent)).toBe(true);
  expect(await isTrayShown('win32', absent)).toBe(true);
});
