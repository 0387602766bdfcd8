import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assistantName, nameOrElse, plainWords } from '../../src/core/assistants/assistantName.ts';

const isName = (name: string): boolean => assistantName.safeParse(name).success;
const hex = (name: string): string =>
  [...name].map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join(' ');

/** Drawn as nothing, as an end of a line, or as something that turns what follows around. */
const unseen = [
  ...['\u034f', '\ufe0f', '\u{e0101}', '\u180b', '\u115f', '\u1160', '\u3164', '\uffa0', '\u{e0041}', '\u{e0001}'],
  ...['\u202e', '\u2066', '\u200e', '\u061c', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u17b4'],
  ...[
    '\u2028',
    '\u2029',
    '\n',
    '\r',
    '\u0000',
    '\u0085',
    '\u001b',
    '\ue000',
    '\u{10fffd}',
    '\ud800',
    '\u0378',
    '\ufdd0',
  ],
];

describe('a name is refused', () => {
  test.each(unseen.map((char) => [hex(char), char]))('with %s in it', (_code, char) => {
    expect(isName(`Tidy${char}Helper`)).toBe(false);
  });

  test.each(
    [
      '',
      ' ',
      '\u00a0',
      '\u3164',
      '\u2800',
      '\u2800\u00a0\u3000',
      '\u{1d159}',
      '\u{13441}',
      '…',
      '-',
      '\u0301',
      '.\u0301',
    ].map((name) => [hex(name), name]),
  )('that is nothing to the eye: %s', (_code, name) => {
    expect(isName(name)).toBe(false);
  });

  test('with marks that cover what stands around it, or that land on what stands before it', () => {
    expect(isName(`Tid${'\u0335\u0336\u0337'}y`)).toBe(false);
    expect(isName('\u0301Tidy')).toBe(false);
  });

  test.each(['You', 'Y0u', 'У0U', 'the person', 'Listing  Companion', 'Vous', 'Líѕting Cоmpanion', 'Sie'])(
    'that stands for the person or the companion: %s',
    (name) => expect(isName(name)).toBe(false),
  );
});

test('a name is taken in the scripts of the world', () => {
  const names = ['Tidy Helper', 'Zoë', 'Việt trợ lý', 'مساعد', 'עוזר', 'ผู้ช่วย', '助手', 'ᾧ', 'सहायक', 'Robot 🤖', 'C++'];
  for (const name of names) expect([name, isName(name)]).toEqual([name, true]);
});

test('spaces of every kind are plain ones, and one at a time', () => {
  expect(assistantName.parse('\u00a0Tidy \u2003\u3000 Helper ')).toBe('Tidy Helper');
});

test('of any text either a name comes that shows all of itself, or none', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...unseen, 'a', 'é', ' ', '\u0301', '\u2800', '字')).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      const { data } = assistantName.safeParse(given);
      if (data === undefined) return;
      expect(data).toMatch(/[\p{L}\p{N}\p{S}]/u);
      expect(data).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|\p{M}{3}|^\s|\s$|\s\s/u);
      // What was taken is taken again as it is.
      expect(assistantName.parse(data)).toBe(data);
    }),
    { numRuns: 500 },
  );
});

test('what a program calls itself is its name only where it may be one', () => {
  expect(nameOrElse('Desktop client', 'An MCP client')).toBe('Desktop client');
  expect(nameOrElse('x'.repeat(90), 'An MCP client')).toBe('x'.repeat(60));
  for (const name of ['command line', 'Cоmmand-Line', 'You', '\u3164', 'a\u202eb', ''])
    expect(nameOrElse(name, 'An MCP client')).toBe('An MCP client');
});

test('of words for the person only what can be seen is left', () => {
  expect(plainWords('Sell the\u2028lamp\u202e, plea\u034fse\u{e0041}')).toBe('Sell the lamp , please');
  for (const blank of ['\u3164\u2800', '\u200b', ' ', undefined]) expect(plainWords(blank)).toBeUndefined();
  expect(plainWords(`Z${'\u0335'.repeat(40)}o`)).toBe('Z\u0335\u0335o');
});
