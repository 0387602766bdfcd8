import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assistantName,
  sanitizeAssistantName,
  sanitizeAssistantText,
} from '../../../../src/core/assistants/assistantName.ts';
import { findNameLikeness } from '../../../../src/core/base/similarNames.ts';
import { anyText } from '../../../helpers/anyText.ts';

const isName = (name: string): boolean => assistantName.safeParse(name).success;
const formatCodePoints = (name: string): string =>
  [...name].map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join(' ');

/** Characters that are invisible, end the line or reverse the direction of text. */
const unseenCharacters = [
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

describe('refused assistant names', () => {
  test.each(unseenCharacters.map((char) => [formatCodePoints(char), char]))(
    'an assistant name that contains %s is refused',
    (_code, char) => {
      expect(isName(`Tidy${char}Helper`)).toBe(false);
    },
  );

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
      '\ufffc',
      '\ufffc \ufffc',
    ].map((name) => [formatCodePoints(name), name]),
  )('an invisible assistant name is refused: %s', (_code, name) => {
    expect(isName(name)).toBe(false);
  });

  test('an assistant name with stacked or leading combining marks is refused', () => {
    expect(isName(`Tid${'\u0335\u0336\u0337'}y`)).toBe(false);
    expect(isName('\u0301Tidy')).toBe(false);
  });

  test.each(['You', 'Y0u', 'У0U', 'the person', 'Listing  Companion', 'Vous', 'Líѕting Cоmpanion', 'Sie'])(
    'an assistant name that could mean the person or the companion is refused: %s',
    (name) => expect(isName(name)).toBe(false),
  );
});

/** Lookalike names with letters of other scripts. */
const alike: Record<string, string[]> = {
  You: ['Υou', 'Yօu', 'Үоц', 'ʏou', 'Yᴏu', 'Υου', 'ꓬꓳꓴ', 'Ⲩou', 'Ⲩⲟu', 'ᎩᎾᏌ', 'Ƴou', 'Yσu', 'Yoս', 'Yøu', '🅈🄾🅄', '🇾🇴🇺'],
  Notion: ['Νotion', 'Иotion', 'Notiσn'],
  'My assistant': ['Μy assistant', 'My assıstant'],
  Hermes: ['Ηermes', 'Неrmes'],
  Zed: ['Ζed', 'Ꮓed'],
  Warp: ['Ԝarp', 'Ꮃarp'],
  Quick: ['Ԛuick'],
  Goose: ['Gօօse', 'Gᴏᴏse'],
  Codex: ['Ϲodex', 'Ꮯodex', 'ꓚodex', 'Ⲥodex', 'Ⅽodex', '𝐂odex', 'Ｃodex'],
  'Claude Code': [
    'CӀaude Code',
    'Claսde Code',
    'Clɑude Code',
    'Clauԁe Ϲоdе',
    'Cḷaude-Code',
    'Claude Code (2)',
    'Claude Code 2',
  ],
};
test.each(Object.entries(alike))('names that look like %s are detected', (name, others) => {
  const like = name === 'You' ? { kind: 'reserved' } : { kind: 'assistant', name };
  for (const other of others) expect([other, findNameLikeness(other, [name])]).toEqual([other, like]);
  if (name === 'You') for (const other of others) expect([other, isName(other)]).toEqual([other, false]);
});

test('different names are not reported as lookalikes', () => {
  for (const name of ['Codex', 'Gemini CLI', 'Claude', 'Pandora', 'Tidy Helper', 'Robot 🤖', '助手', 'Питер'])
    expect([name, findNameLikeness(name, ['Cursor', 'Claude Code', 'Gemini', 'Robin', '助理', 'Пётр'])]).toEqual([
      name,
      null,
    ]);
});

test.each([
  ...[
    'You (the person)',
    'You, the person',
    'Yourself',
    'Owner',
    'The owner',
    'Person',
    'by you',
    'You ✓',
    '(You)',
    'You 2',
  ],
  ...['Die Person', 'La personne', 'La persona', 'De persoon', 'Osoba', 'Pan', 'Państwo', 'Ihnen', 'Der Eigentümer'],
  ...['Właściciel', 'Propriétaire', 'El dueño', 'Y o u', 'ThePerson', 'You1', 'You (verified)'],
  ...[
    'Listing Companion app',
    'Listing Companion™',
    'Listing Companion 2',
    'ListingCompanion',
    'The Listing Companion App',
  ],
])('the assistant name %s is reserved', (name) => {
  expect(isName(name)).toBe(false);
  expect(findNameLikeness(name, [])).toEqual({ kind: 'reserved' });
});

test.each(['Nоtion', 'Νotion', 'Claude Cоde', 'Tidy עוזר', 'Robot सहायक', 'Καλός друг', '字Ηelper'])(
  'an assistant name that mixes scripts is refused with an explanation: %s',
  (name) => {
    expect(assistantName.safeParse(name).error?.issues[0]?.message).toBe('A name has letters of one script only.');
  },
);

test('an assistant name can mix scripts that are commonly written together', () => {
  const names = ['Claude 助手', 'AIアシスタントの店', 'ChatGPT 도우미', 'Помощник 2', 'Βοηθός', 'Օգնական', 'ผู้ช่วย 7'];
  for (const name of names) expect([name, isName(name)]).toEqual([name, true]);
});

test('an assistant name can use any single script', () => {
  const names = ['Tidy Helper', 'Zoë', 'Việt trợ lý', 'مساعد', 'עוזר', 'ผู้ช่วย', '助手', 'ᾧ', 'सहायक', 'Robot 🤖', 'C++'];
  for (const name of names) expect([name, isName(name)]).toEqual([name, true]);
});

test('spaces in an assistant name are normalized to single plain spaces', () => {
  expect(assistantName.parse('\u00a0Tidy \u2003\u3000 Helper ')).toBe('Tidy Helper');
});

test('every accepted assistant name is visible and stays unchanged when parsed again', () => {
  const text = fc.oneof(
    anyText,
    fc
      .array(fc.constantFrom(...unseenCharacters, 'a', 'é', ' ', '\u0301', '\u2800', '字'))
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      const { data } = assistantName.safeParse(given);
      if (data === undefined) return;
      expect(data).toMatch(/[\p{L}\p{N}\p{S}]/u);
      expect(data).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|\p{M}{3}|^\s|\s$|\s\s/u);
      expect(assistantName.parse(data)).toBe(data);
    }),
    { numRuns: 500 },
  );
});

test('the name that a client reports is used only if it is valid', () => {
  expect(sanitizeAssistantName('Desktop client', 'An MCP client')).toBe('Desktop client');
  expect(sanitizeAssistantName('x'.repeat(90), 'An MCP client')).toBe('x'.repeat(60));
  for (const name of ['command line', 'Cоmmand-Line', 'You', '\u3164', 'a\u202eb', ''])
    expect(sanitizeAssistantName(name, 'An MCP client')).toBe('An MCP client');
});

test('invisible characters are removed from text shown to the person', () => {
  expect(sanitizeAssistantText('Sell the\u2028lamp\u202e, plea\u034fse\u{e0041}')).toBe('Sell the lamp , please');
  for (const blank of ['\u3164\u2800', '\u200b', ' ', undefined]) expect(sanitizeAssistantText(blank)).toBeUndefined();
  expect(sanitizeAssistantText(`Z${'\u0335'.repeat(40)}o`)).toBe('Z\u0335\u0335o');
});

test.each([
  'Listing Companion asks',
  'Companion: your account…',
  'listing  COMPANION notice',
  'C\u200aompanion update',
  'Comp4nion C0MPANI0N',
  'ｃｏｍｐａｎｉｏｎ asks',
])('the assistant name %s is refused because it resembles a message from the companion', (name) => {
  expect(assistantName.safeParse(name).success).toBe(false);
});

test.each(['Compass', 'Claude', 'Company buyer'])('the assistant name %s is accepted', (name) => {
  expect(assistantName.safeParse(name).success).toBe(true);
});
