import { expect, test } from 'vitest';
import {
  foldUnchangedParts,
  measurePartsLength,
  computeWordDiff,
} from '../../../src/renderer/src/components/text/ChangedText.tsx';

const formatMarks = (parts: { text: string; changed: boolean }[]): string =>
  parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');

test('a diff marks only the words that differ', () => {
  const { before, after } = computeWordDiff('Nike Pegasus 38, Blue', 'Nike Pegasus 39, Blue');
  expect(formatMarks(before)).toBe('Nike Pegasus [38,] Blue');
  expect(formatMarks(after)).toBe('Nike Pegasus [39,] Blue');
});

test('a diff keeps every character of both texts', () => {
  const [a, b] = ['one  two\nthree', 'two four  three five'];
  const { before, after } = computeWordDiff(a, b);
  expect(before.map((part) => part.text).join('')).toBe(a);
  expect(after.map((part) => part.text).join('')).toBe(b);
});

test('a diff of equal texts has no marks', () => {
  expect(computeWordDiff('same', 'same').before).toEqual([{ text: 'same', changed: false }]);
  expect(computeWordDiff('', 'new')).toEqual({ before: [], after: [{ text: 'new', changed: true }] });
});

const joinParts = (parts: { text: string }[]): string => parts.map(({ text }) => text).join('');

test('a diff of very long texts marks only the differences and loses no character', () => {
  const text = 'A word and another one. '.repeat(4_000);
  const { before, after } = computeWordDiff(`${text}in its box. ${text}`, `${text}without a box. ${text}`);
  expect(before.filter(({ changed }) => changed).map(({ text: words }) => words)).toEqual(['in', 'its']);
  expect(after.filter(({ changed }) => changed).map(({ text: words }) => words)).toEqual(['without', 'a']);
  expect(joinParts(after)).toBe(`${text}without a box. ${text}`);
});

test('a diff of very different texts compares whole sentences', () => {
  const sentences = (kind: string): string => Array.from({ length: 400 }, (_, at) => `No. ${at} is ${kind}! `).join('');
  const [red, blue] = [`Red. ${sentences('red')}The end.`, `Blue. ${sentences('blue')}The end.`];
  const { before, after } = computeWordDiff(red, blue);
  expect([joinParts(before), joinParts(after)]).toEqual([red, blue]);
  expect(after.at(-1)?.changed).toBe(false);
  expect(after.at(-1)?.text).toMatch(/The end\.$/);
  const words = (kind: string): string => `${kind} `.repeat(3_000);
  expect(computeWordDiff(words('a'), words('b')).after).toEqual([{ text: words('b'), changed: true }]);
});

test('a long diff is folded around its changes', () => {
  const text = 'Some words. '.repeat(200);
  const folded = foldUnchangedParts(computeWordDiff(`${text}old ${text}`, `${text}new ${text}`).after);
  expect(measurePartsLength(folded)).toBeLessThan(200);
  expect(folded.map(({ changed }) => changed)).toEqual([false, true, false]);
  expect(folded[1]?.text).toBe('new');
  expect(foldUnchangedParts([{ text: 'short', changed: true }])).toEqual([{ text: 'short', changed: true }]);
});
