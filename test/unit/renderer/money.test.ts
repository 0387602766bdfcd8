import { expect, test } from 'vitest';
import { findListingCurrency } from '../../../src/contract/index.ts';
import {
  formatCentsInput,
  formatCents,
  formatMinorAmount,
  findMoneyProblem,
  parseCentsInput,
} from '../../../src/renderer/src/components/text/format.ts';

test('an amount is never shown without its currency', () => {
  expect(formatMinorAmount(35, 'USD')).toBe('US$0.35');
  expect(formatCents(3499, 'EUR')).toBe('€34.99');
  expect(formatCents(3499, null)).toContain('currency of the site');
  expect(formatMinorAmount(35, 'not a currency')).toBe('0.35 not a currency');
});

test('amounts use the minor units of their currency, and listing prices use hundredths', () => {
  expect(formatMinorAmount(500, 'JPY')).toBe('¥500');
  expect(formatCents(1_299, 'CAD')).toBe('CA$12.99');
});

test('a listing without a currency uses the currency of its site', () => {
  expect(findListingCurrency({ currency: 'SEK', marketplaceId: 'MKT_DE' })).toBe('SEK');
  expect(findListingCurrency({ marketplaceId: 'MKT_PL' })).toBe('PLN');
  expect(findListingCurrency({ marketplaceId: 'MKT_MOON' })).toBeNull();
});

test.each([
  ['34.99', 3499],
  ['34,99', 3499],
  ['34', 3400],
  ['34.9', 3490],
  ['1,234.50', 123_450],
  ['1.234,50', 123_450],
  ['€ 1 234,50', 123_450],
  ['1234', 123_400],
  ['US$0.35', 35],
])('the amount %s is parsed as cents', (text, cents) => expect(parseCentsInput(text)).toBe(cents));

test.each(['', 'free', '12.999', '1.2.3', '12.345,6,7'])('the text %s is not a valid amount', (text) =>
  expect(parseCentsInput(text)).toBeNull(),
);

test('a price is unchanged after formatting and parsing', () => {
  for (const cents of [0, 1, 99, 100, 1_005, 123_456]) expect(parseCentsInput(formatCentsInput(cents))).toBe(cents);
});

test('a zero, negative or ambiguous price is refused with a sentence', () => {
  for (const text of ['0', '0.00', '-5', '−0,01']) expect(findMoneyProblem(text)).toBe('It must be more than 0.');
  expect(findMoneyProblem('12.999')).toContain('two ways');
  expect(findMoneyProblem('free')).toContain('34.99');
  expect([findMoneyProblem('12.99'), findMoneyProblem('12,999')]).toEqual([null, null]);
});
