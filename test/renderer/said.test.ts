import { expect, test } from 'vitest';
import { escapeHidden, mixedWords, plainly } from '../../src/renderer/src/parts/said.ts';

test('what cannot be seen, or turns the reading direction, is written out', () => {
  expect(plainly('a\u202eb')).toBe('a‹U+202E›b');
  expect(plainly('zero\u200bwidth')).toBe('zero‹U+200B›width');
  expect(plainly('nul\u0000 bell\u0007')).toBe('nul‹U+0000› bell‹U+0007›');
  expect(plainly('\u2066hidden\u2069')).toBe('‹U+2066›hidden‹U+2069›');
  expect(plainly('tag\u{e0041}')).toBe('tag‹U+E0041›');
  expect(plainly('lone\ud800')).toBe('lone‹U+D800›');
  expect(plainly('soft\u00adhyphen')).toBe('soft‹U+00AD›hyphen');
});

test('ordinary text, line ends and emoji stay as they are', () => {
  const text = 'Größe 43, “blå”\nзелёный 日本 👩‍🔧 5 €';
  expect(plainly(text)).toBe(text);
  expect(escapeHidden(text)).toEqual([{ text, escaped: false }]);
});

test('a joiner between Latin letters only hides', () => {
  expect(plainly('pay\u200dpal')).toBe('pay‹U+200D›pal');
});

test('words that mix alphabets are flagged, texts that use several are not', () => {
  expect(mixedWords('Nike Аir Max')).toEqual(['Аir']);
  expect(mixedWords('Nike кроссовки, Größe 43')).toEqual([]);
  expect(mixedWords('Ελλάδα and Greece')).toEqual([]);
});
