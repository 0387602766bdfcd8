import { describe, expect, test } from 'vitest';
import { parseTypedAmount, formatPlainAmount } from '../../../src/i18n/amounts.ts';
import { languageCodes } from '../../../src/i18n/languages.ts';

const cents = (value: number) => ({ kind: 'cents', cents: value });

describe.each(languageCodes)('amounts typed in %s', (language) => {
  test.each([
    ['34.99', 3_499],
    ['44,50', 4_450],
    ['34', 3_400],
    ['34,9', 3_490],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
    ['1’234.50', 123_450],
    ['12.345.678', 1_234_567_800],
    ['€ 12.99', 1_299],
    ['12,99 zł', 1_299],
    ['US$0.35', 35],
    ['0', 0],
    ['-5', -500],
    ['−2,50', -250],
  ])('are read unambiguously: %s', (text, value) => expect(parseTypedAmount(text, language)).toEqual(cents(value)));

  test.each(['free', '1.2.3', '12.345,6,7', '12.', '0.999', '12.9999', '12 99', '1234.567', '12,34.5', '5-'])(
    'are rejected if invalid: %s',
    (text) => expect(parseTypedAmount(text, language)).toEqual({ kind: 'unread' }),
  );

  test('can be left empty', () => expect(parseTypedAmount('  ', language)).toEqual({ kind: 'none' }));

  test('keep their value when they are formatted and parsed again', () => {
    for (const value of [1, 99, 100, 1_005, 99_999, 123_456, 1_299_900, 123_456_789])
      expect(parseTypedAmount(formatPlainAmount(value, language), language)).toEqual(cents(value));
  });
});

test.each([
  ['en', '12,999', '12.999'],
  ['de', '12.999', '12,999'],
  ['it', '12.999', '12,999'],
  ['es', '12.999', '12,999'],
  ['nl', '12.999', '12,999'],
])('in %s, %s is read as an amount in thousands and %s is ambiguous', (language, thousands, asked) => {
  expect(parseTypedAmount(thousands, language)).toEqual(cents(1_299_900));
  expect(parseTypedAmount(asked, language)).toEqual({ kind: 'either', cents: [1_299_900, 1_300] });
});

test.each(['fr', 'pl'])('in %s, both a comma and a point before three digits are ambiguous', (language) => {
  for (const text of ['12.999', '12,999'])
    expect(parseTypedAmount(text, language)).toEqual({ kind: 'either', cents: [1_299_900, 1_300] });
  expect(parseTypedAmount('12 999', language)).toEqual(cents(1_299_900));
});

test('a minus sign applies to both readings of an ambiguous amount', () => {
  expect(parseTypedAmount('-1.250', 'en')).toEqual({ kind: 'either', cents: [-125_000, -125] });
});

test.each([
  ['en', '12.99', '12,999.00'],
  ['de', '12,99', '12.999,00'],
  ['fr', '12,99', '12\u202f999,00'],
  ['it', '12,99', '12.999,00'],
  ['es', '12,99', '12.999,00'],
  ['nl', '12,99', '12.999,00'],
  ['pl', '12,99', '12\u00a0999,00'],
])('amounts in %s are formatted as %s and %s', (language, small, large) => {
  expect([formatPlainAmount(1_299, language), formatPlainAmount(1_299_900, language)]).toEqual([small, large]);
});
