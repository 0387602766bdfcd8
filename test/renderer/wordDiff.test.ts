import { expect, test } from 'vitest';
import { wordDiff } from '../../src/renderer/src/parts/wordDiff.ts';

const marked = (parts: { text: string; changed: boolean }[]): string =>
  parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');

test('only the words that differ are marked', () => {
  const { before, after } = wordDiff('Nike Pegasus 38, Blue', 'Nike Pegasus 39, Blue');
  expect(marked(before)).toBe('Nike Pegasus [38,] Blue');
  expect(marked(after)).toBe('Nike Pegasus [39,] Blue');
});

test('both sides keep every character', () => {
  const [a, b] = ['one  two\nthree', 'two four  three five'];
  const { before, after } = wordDiff(a, b);
  expect(before.map((part) => part.text).join('')).toBe(a);
  expect(after.map((part) => part.text).join('')).toBe(b);
});

test('equal texts have no mark, and very long ones count as changed as a whole', () => {
  expect(wordDiff('same', 'same').before).toEqual([{ text: 'same', changed: false }]);
  const long = 'word '.repeat(2_000);
  expect(wordDiff(long, `${long}!`).after).toEqual([{ text: `${long}!`, changed: true }]);
});
