import { expect, test } from 'vitest';
import { isTrayShown, type RunProgram } from '../../../src/main/tray/isTrayShown.ts';

const absent = (): Promise<never> => Promise.reject(new Error('ENOENT'));
const saying = (said: Partial<Record<string, string | null>>): RunProgram => {
  return (program) => (program in said ? Promise.resolve(said[program] ?? null) : absent());
};

test.each([
  ['a panel that shows it', { 'dbus-send': '   variant       boolean true\n' }, true],
  ['a watcher without a panel', { 'dbus-send': '   variant       boolean false\n' }, false],
  ['no watcher, or no bus', { 'dbus-send': null }, false],
  ['the other asker', { gdbus: '(<true>,)\n' }, true],
  ['the other asker, and no panel', { gdbus: '(<false>,)\n' }, false],
  ['nobody who can ask', {}, true],
])('a desktop that shows no tray is detected: %s', async (_what, said, shown) => {
  expect(await isTrayShown('linux', saying(said))).toBe(shown);
});

test('other systems always have a tray and run no check', async () => {
  expect(await isTrayShown('darwin', absent)).toBe(true);
  expect(await isTrayShown('win32', absent)).toBe(true);
});
