import { expect, test } from 'vitest';
import { coversFreshSubject, createBoundSubject, type GatheredFacts } from '../../../../src/core/approvals/subject.ts';

const noMoves: ReadonlySet<string> = new Set();
type Quote = NonNullable<GatheredFacts['quote']>;

const subjectOf = (
  route: 'publishListing' | 'endListing' | 'reviseListing',
  quantity: number,
  body: Record<string, unknown> = {},
) => {
  const input = { params: { listingId: 'li_1' }, body };
  const asked = { route, input, account: 'practice#u1', askerId: 'as_1', key: 'print of a key' };
  return createBoundSubject(asked, { listing: { listingId: 'li_1', status: 'published', quantity } });
};

test.each([
  ['ending the listing after a sale', 'endListing', {}, 3, 2, true],
  ['ending the listing after the quantity increased', 'endListing', {}, 3, 4, false],
  ['changing the price after a sale', 'reviseListing', { price: 900 }, 3, 2, true],
  ['changing the price after the quantity increased', 'reviseListing', { price: 900 }, 3, 4, false],
  ['changing the quantity after a sale', 'reviseListing', { quantity: 5 }, 3, 2, false],
  ['publishing after the quantity decreased', 'publishListing', {}, 3, 2, false],
] as const)(
  'an approval stays valid only if the changed quantity does not affect it: %s',
  (_act, route, body, before, after, isCovered) => {
    expect(coversFreshSubject(subjectOf(route, before, body), subjectOf(route, after, body), noMoves)).toBe(isCovered);
  },
);

const quoteOf = (quote: Quote) => {
  const asked = {
    route: 'publishListing' as const,
    input: { params: { listingId: 'li_1' } },
    account: 'practice#u1',
    askerId: 'as_1',
    key: 'print of a key',
  };
  return createBoundSubject(asked, { quote }).quote;
};
const createFeeLine = (amountMinor: number) => ({ name: 'Insertion', amountMinor });
const createFee = (changes: Partial<Quote> = {}): Quote => ({
  state: 'fee',
  currency: 'USD',
  totalMinor: 50,
  lines: [createFeeLine(35), createFeeLine(15)],
  ...changes,
});

test.each<[string, Quote]>([
  ['whose lines add up to its total', createFee()],
  ['that has only a total', createFee({ lines: [] })],
  ['that is free', { state: 'free', currency: 'USD', totalMinor: 0, lines: [createFeeLine(0)] }],
])('a fee quote %s is shown unchanged', (_which, quote) => {
  expect(quoteOf(quote)).toEqual(quote);
});

test.each<[string, Quote]>([
  ['with lines that add up to more than its total', createFee({ lines: [createFeeLine(35), createFeeLine(16)] })],
  ['with lines that add up to less than its total', createFee({ lines: [createFeeLine(35)] })],
  ['with a negative fee', createFee({ totalMinor: -50, lines: [createFeeLine(-50)] })],
  ['with a fee but no total', createFee({ totalMinor: null })],
  ['with a fee but no currency', createFee({ currency: null })],
  ['with a fee in an invalid currency', createFee({ currency: 'dollars' })],
  ['that is free but has a total', { state: 'free', currency: 'USD', totalMinor: 5, lines: [] }],
  [
    'that is free but has a line with an amount',
    { state: 'free', currency: 'USD', totalMinor: 0, lines: [createFeeLine(5)] },
  ],
  ['that does not mention a fee', { state: 'unavailable' }],
])('a fee quote %s is treated as unknown', (_which, quote) => {
  expect(quoteOf(quote)).toEqual({ state: 'unavailable', currency: null, totalMinor: null, lines: [] });
});
