import { expect, test } from 'vitest';
import { createScanBurst } from '../../../src/renderer/src/components/scanner/scanBurst.ts';

/** Types a text with the same gap between its characters and before Enter. */
const readTyped = (text: string, gapMs: number, enterGapMs = gapMs): string | null => {
  const burst = createScanBurst();
  for (const [at, char] of [...text].entries()) burst.add(char, 1_000 + at * gapMs);
  return burst.end(1_000 + (text.length - 1) * gapMs + enterGapMs);
};

test('three or more characters less than 35 ms apart and Enter are a scan', () => {
  expect(readTyped('A04-3', 34)).toBe('A04-3');
  expect(readTyped('A04-3', 35)).toBeNull();
  expect(readTyped('A04', 5)).toBe('A04');
});

test('one or two characters are a scan if Enter follows within 35 ms, unless they select rows', () => {
  expect(['7', 'A0', 'p'].map((code) => readTyped(code, 5, 34))).toEqual(['7', 'A0', 'p']);
  expect(['7', 'A0', 'p'].map((code) => readTyped(code, 5, 35))).toEqual([null, null, null]);
  expect(['j', 'kx', ' ', ''].map((code) => readTyped(code, 5))).toEqual([null, null, null, null]);
});

test('letters that select rows are a scan only together with other characters', () => {
  expect(['jjj', 'kkkk', 'jkxjkx', 'JJJ', 'j j'].map((keys) => readTyped(keys, 5))).toEqual(Array(5).fill(null));
  expect(readTyped('jkx-1', 5)).toBe('jkx-1');
});

test('a caller can demand a longer code', () => {
  const burst = createScanBurst();
  burst.add('A', 0);
  burst.add('0', 5);
  expect(burst.end(10, 3)).toBeNull();
});

test('the Enter of a scan may come up to 100 ms after its last character', () => {
  expect(readTyped('A04', 5, 99)).toBe('A04');
  expect(readTyped('A04', 5, 100)).toBeNull();
});

test('characters typed before a scan are not part of its code', () => {
  const burst = createScanBurst();
  expect([burst.add('x', 0), burst.add('A', 500), burst.add('1', 510), burst.add('2', 520)]).toEqual([
    'x',
    'A',
    'A1',
    'A12',
  ]);
  expect(burst.end(530)).toBe('A12');
  expect(burst.end(540)).toBeNull();
});
