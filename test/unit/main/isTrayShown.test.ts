import { expect, test } from 'vitest';
import { isTrayShown, type RunProgram } from '../../../src/main/tray/isTrayShown.ts';

const failAsAbsent = (): Promise<never> => Promise.reject(new Error('ENOENT'));
const createRunner = (outputs: Partial<Record<string, string | null>>): RunProgram => {
  return (program) => (program in outputs ? Promise.resolve(outputs[program] ?? null) : failAsAbsent());
};

test.each([
  ['a panel that shows tray icons', { 'dbus-send': '   variant       boolean true\n' }, true],
  ['a tray service without a panel', { 'dbus-send': '   variant       boolean false\n' }, false],
  ['no tray service or no bus', { 'dbus-send': null }, false],
  ['a panel, checked with gdbus', { gdbus: '(<true>,)\n' }, true],
  ['no panel, checked with gdbus', { gdbus: '(<false>,)\n' }, false],
  ['no program for the check', {}, true],
])('the companion detects whether a desktop shows a tray: %s', async (_what, outputs, shown) => {
  expect(await isTrayShown('linux', createRunner(outputs))).toBe(shown);
});

test('macOS and Windows always have a tray and need no check', async () => {
  expect(await isTrayShown('darwin', failAsAbsent)).toBe(true);
  expect(await isTrayShown('win32', failAsAbsent)).toBe(true);
});
