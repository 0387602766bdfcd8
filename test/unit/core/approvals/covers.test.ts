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
  ['an end, when some were sold', 'endListing', {}, 3, 2, true],
  ['an end, when the quantity rose', 'endListing', {}, 3, 4, false],
  ['a change of the price, when some were sold', 'reviseListing', { price: 900 }, 3, 2, true],
  ['a change of the price, when the quantity rose', 'reviseListing', { price: 900 }, 3, 4, false],
  ['a change of the quantity, when some were sold', 'reviseListing', { quantity: 5 }, 3, 2, false],
  ['a publish of a smaller quantity', 'publishListing', {}, 3, 2, false],
] as const)(
  'an approval still covers the listing only after a harmless change of its quantity: %s',
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
const line = (amountMinor: number) => ({ name: 'Insertion', amountMinor });
const fee = (changes: Partial<Quote> = {}): Quote => ({
  state: 'fee',
  currency: 'USD',
  totalMinor: 50,
  lines: [line(35), line(15)],
  ...changes,
});

test.each<[string, Quote]>([
  ['whose lines add up', fee()],
  ['that has a total alone', fee({ lines: [] })],
  ['that is free', { state: 'free', currency: 'USD', totalMinor: 0, lines: [line(0)] }],
])('a quote %s is shown unchanged', (_which, quote) => {
  expect(quoteOf(quote)).toEqual(quote);
});

test.each<[string, Quote]>([
  ['with lines that add up to more than its total', fee({ lines: [line(35), line(16)] })],
  ['with lines that add up to less than its total', fee({ lines: [line(35)] })],
  ['of a negative fee', fee({ totalMinor: -50, lines: [line(-50)] })],
  ['of a fee without a total', fee({ totalMinor: null })],
  ['of a fee in no currency', fee({ currency: null })],
  ['of a fee in a currency that does not exist', fee({ currency: 'dollars' })],
  ['that is free for a total', { state: 'free', currency: 'USD', totalMinor: 5, lines: [] }],
  ['that is free with lines that cost something', { state: 'free', currency: 'USD', totalMinor: 0, lines: [line(5)] }],
  ['that says nothing of a fee', { state: 'unavailable' }],
])('a quote %s counts as unknown', (_which, quote) => {
  expect(quoteOf(quote)).toEqual({ state: 'unavailable', currency: null, totalMinor: null, lines: [] });
});
