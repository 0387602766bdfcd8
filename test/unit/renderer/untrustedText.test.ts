import { expect, test } from 'vitest';
import {
  escapeHiddenCharacters,
  listMixedScriptWords,
  escapeHiddenText,
} from '../../../src/renderer/src/components/text/UntrustedText.tsx';

test('invisible characters and direction marks are shown as codes', () => {
  expect(escapeHiddenText('a\u202eb')).toBe('a‹U+202E›b');
  expect(escapeHiddenText('zero\u200bwidth')).toBe('zero‹U+200B›width');
  expect(escapeHiddenText('nul\u0000 bell\u0007')).toBe('nul‹U+0000› bell‹U+0007›');
  expect(escapeHiddenText('\u2066hidden\u2069')).toBe('‹U+2066›hidden‹U+2069›');
  expect(escapeHiddenText('tag\u{e0041}')).toBe('tag‹U+E0041›');
  expect(escapeHiddenText('lone\ud800')).toBe('lone‹U+D800›');
  expect(escapeHiddenText('soft\u00adhyphen')).toBe('soft‹U+00AD›hyphen');
});

test('ordinary text, line breaks and emoji stay unchanged', () => {
  const text = 'Größe 43, “blå”\nзелёный 日本 👩‍🔧 5 €';
  expect(escapeHiddenText(text)).toBe(text);
  expect(escapeHiddenCharacters(text)).toEqual([{ text, escaped: false }]);
});

test.each([
  ['a combining grapheme joiner', 'fo\u034fx', 'fo‹U+034F›x'],
  ['Hangul fillers', '\u115f\u1160\u3164\uffa0', '‹U+115F›‹U+1160›‹U+3164›‹U+FFA0›'],
  ['Khmer inherent vowels', 'a\u17b4\u17b5', 'a‹U+17B4›‹U+17B5›'],
  ['Mongolian selectors and vowel separator', '\u180b\u180e', '‹U+180B›‹U+180E›'],
  ['a variation selector after a letter', 'A\ufe0f', 'A‹U+FE0F›'],
  ['variation selectors that carry a message', '☕\u{e0101}\u{e0102}', '☕‹U+E0101›‹U+E0102›'],
  ['tags after an emoji', '🏴\u{e0067}\u{e007f}', '🏴‹U+E0067›‹U+E007F›'],
  ['invisible operators', '1\u2062 2', '1‹U+2062› 2'],
  ['a reserved invisible character', 'x\u{e0fff}', 'x‹U+E0FFF›'],
  ['the second of two variation selectors', '❤\ufe0f\ufe0f', '❤\ufe0f‹U+FE0F›'],
  ['a byte order mark', '\ufefftitle', '‹U+FEFF›title'],
])('hidden text is shown as codes: %s', (_what, text, shown) => {
  expect(escapeHiddenText(text)).toBe(shown);
});

test.each([
  ['an emoji shown as a picture', 'I ❤\ufe0f foxes'],
  ['an emoji shown as text', '☺\ufe0e'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['a family emoji', '👨‍👩‍👧'],
  ['an emoji with a skin tone and a profession', '👩🏽‍🚀'],
  ['a combined flag', '🏳\ufe0f‍🌈'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Hindi with a joiner', 'क्\u200dष'],
  ['Malayalam at the end of a word', 'അവന്\u200d'],
])('legitimate invisible characters stay unchanged in %s', (_what, text) => {
  expect(escapeHiddenText(text)).toBe(text);
});

test('a joiner between Latin letters is shown as a code', () => {
  expect(escapeHiddenText('pay\u200dpal')).toBe('pay‹U+200D›pal');
  expect(escapeHiddenText('👩\u200dpal')).toBe('👩‹U+200D›pal');
  expect(escapeHiddenText('می\u200c\u200cخ')).toBe('می\u200c‹U+200C›خ');
});

test('only a word that mixes alphabets is flagged, not a text in several alphabets', () => {
  expect(listMixedScriptWords('Nike Аir Max')).toEqual(['Аir']);
  expect(listMixedScriptWords('Nike кроссовки, Größe 43')).toEqual([]);
  expect(listMixedScriptWords('Ελλάδα and Greece')).toEqual([]);
});
