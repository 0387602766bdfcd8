import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Listing, ListingRow } from '../../../src/renderer/src/api/call.ts';
import {
  planBulkUndo,
  planBulkChanges,
  type BulkRule,
} from '../../../src/renderer/src/screens/listings/bulk/bulkChanges.ts';
import {
  applyPriceRule,
  parsePriceRule,
  type PriceFacts,
} from '../../../src/renderer/src/screens/listings/bulk/priceRules.ts';
import { createRows } from '../../helpers/fakes/calls/fakeListingCalls.ts';

const facts: PriceFacts = { price: 1_000, suggested: null, median: undefined, autoAccept: null, unit: 1 };
const createPriceFacts = (price: number): PriceFacts => ({ ...facts, price });
const parseRule = (
  ...[how, typed, ending = '']: [...Parameters<typeof parsePriceRule>] | [Parameters<typeof parsePriceRule>[0], string]
) => {
  const read = parsePriceRule(how, typed, ending);
  if (!read) throw new Error('The rule is invalid.');
  return read;
};

test.each([
  ['percent', '-10', '', 1_999, 1_799],
  ['percent', '12,5 %', '', 1_000, 1_125],
  ['percent', '−50', '', 1_001, 501],
  ['percent', '0.01', '', 5_000, 5_001],
  ['amount', '-2.50', '', 1_000, 750],
  ['amount', '1', '', 1_000, 1_100],
  ['set', '7,25', '99', 1_000, 725],
  ['percent', '-10', '99', 1_999, 1_799],
  ['percent', '-10', '99', 2_100, 1_899],
  ['ending', '', '99', 2_049, 2_099],
  ['ending', '', '99', 2_048, 1_999],
  ['ending', '', '00', 1_250, 1_300],
  ['ending', '', '99', 10, 99],
  ['ending', '', '00', 30, 100],
] as const)('the price rule %s %s ending in %s changes %i to %i', (how, typed, ending, before, after) => {
  expect(applyPriceRule(parseRule(how, typed, ending), createPriceFacts(before))).toBe(after);
});

test.each([
  ['-10', '99', 30, 'tooLow'],
  ['-10', '99', 105, 99],
  ['-1', '99', 2_080, 1_999],
  ['1', '00', 1_020, 1_100],
  ['1', '99', 1_950, 1_999],
] as const)(
  'a price change of %s percent ending in %s never has the opposite effect: %i',
  (typed, ending, before, after) => {
    expect(applyPriceRule(parseRule('percent', typed, ending), createPriceFacts(before))).toBe(after);
  },
);

test.each([
  ['percent', ''],
  ['percent', 'ten'],
  ['percent', '12.999'],
  ['amount', '1,2,3'],
  ['set', '-5'],
  ['set', '0'],
] as const)('the price rule %s %s is invalid', (how, typed) => {
  expect(parsePriceRule(how, typed, '')).toBeNull();
});

test('a price rule that cannot be applied to a listing returns the reason why', () => {
  expect(applyPriceRule(parseRule('amount', '-10'), facts)).toBe('tooLow');
  expect(applyPriceRule(parseRule('percent', '-100'), facts)).toBe('tooLow');
  expect(applyPriceRule(parseRule('percent', '-10'), { ...facts, price: null })).toBe('noPrice');
  expect(applyPriceRule(parseRule('suggested', ''), facts)).toBe('noSuggestion');
  expect(applyPriceRule(parseRule('suggested', '', '99'), { ...facts, suggested: 4_310 })).toBe(4_299);
  expect(applyPriceRule(parseRule('median', ''), facts)).toBe('notLookedUp');
  expect(applyPriceRule(parseRule('median', ''), { ...facts, median: null })).toBe('noMedian');
  expect(applyPriceRule(parseRule('median', ''), { ...facts, median: 888 })).toBe(888);
  expect(applyPriceRule(parseRule('percent', '-50'), { ...facts, autoAccept: 800 })).toBe('belowOffer');
});

test('a price in a currency without decimals stays whole', () => {
  expect(applyPriceRule(parseRule('percent', '-10', '99'), { ...facts, price: 123_400, unit: 100 })).toBe(111_100);
});

test('every price rule returns an exact positive price or the reason for having none', () => {
  const anyRule = fc.record({
    how: fc.constantFrom('percent' as const, 'amount' as const, 'ending' as const),
    by: fc.integer({ min: -20_000, max: 1_000_000 }),
    ending: fc.constantFrom('' as const, '99' as const, '50' as const, '00' as const),
  });
  fc.assert(
    fc.property(anyRule, fc.integer({ min: 1, max: 100_000_000 }), (one, price) => {
      const found = applyPriceRule(one, createPriceFacts(price));
      if (typeof found !== 'number') return found === 'tooLow';
      if (one.how === 'percent' && one.ending === '') {
        const exact = BigInt(price) * BigInt(10_000 + one.by);
        const off = BigInt(found) * 10_000n - exact;
        return off <= 5_000n && off > -5_000n;
      }
      return Number.isInteger(found) && found >= 1 && (one.ending === '' || found % 100 === Number(one.ending));
    }),
  );
});

const [row] = createRows(1) as [ListingRow];
const base: Listing = {
  listingId: 'a',
  status: 'pending_review',
  title: 'Tin robot',
  description: '<p class="robot">A robot &amp; its box</p>',
  price: 1_000,
  quantity: 2,
  marketplaceId: 'MKT_US',
  categoryId: 'toys',
  condition: 'USED_GOOD',
  itemSpecifics: { Brand: 'Acme', Colour: 'red' },
  currency: 'USD',
};
const createTarget = (changes: Partial<Listing> = {}) => {
  const listing = { ...base, ...changes };
  return { row: { ...row, listingId: listing.listingId, status: listing.status }, listing };
};
const planBody = (given: BulkRule, changes: Partial<Listing> = {}) => {
  const { changes: made, left } = planBulkChanges([createTarget(changes)], given);
  return made[0]?.body ?? left[0]?.why;
};

describe('a bulk change', () => {
  test('sets each field or returns the reason why the field stays unchanged', () => {
    expect(planBody({ field: 'quantity', value: 5 })).toEqual({ quantity: 5 });
    expect(planBody({ field: 'quantity', value: 2 })).toBe('same');
    expect(planBody({ field: 'packageWeightGrams', value: 400 })).toEqual({ packageWeightGrams: 400 });
    expect(planBody({ field: 'packageWeightGrams', value: 400 }, { status: 'published' })).toBe('liveFixed');
    expect(planBody({ field: 'quantity', value: 5 }, { status: 'sold' })).toBe('notEditable');
    const accepted = new Map([['toys', ['NEW']]]);
    expect(planBody({ field: 'condition', value: 'LIKE_NEW', accepted })).toBe('conditionNotTaken');
    expect(planBody({ field: 'condition', value: 'NEW', accepted })).toEqual({ condition: 'NEW' });
    const category = { field: 'categoryId', value: 'books', name: 'Books', site: 'MKT_US' } as const;
    expect(planBody(category)).toEqual({ categoryId: 'books' });
    expect(planBody({ ...category, site: 'MKT_DE' })).toBe('otherSite');
  });

  test('to one specific keeps the other specifics', () => {
    expect(planBody({ field: 'itemSpecifics', name: 'Colour', value: 'blue' })).toEqual({
      itemSpecifics: { Brand: 'Acme', Colour: 'blue' },
    });
    expect(planBody({ field: 'itemSpecifics', name: 'Colour', value: '' })).toEqual({
      itemSpecifics: { Brand: 'Acme' },
    });
    expect(planBody({ field: 'itemSpecifics', name: 'Size', value: '' })).toBe('same');
  });

  test('changes words only in the visible text, never in markup', () => {
    const replace = { how: 'replace', text: 'robot', by: '<b>R</b>' } as const;
    expect(planBody({ field: 'description', ...replace })).toEqual({
      description: '<p class="robot">A &lt;b&gt;R&lt;/b&gt; &amp; its box</p>',
    });
    expect(planBody({ field: 'title', longest: 80, how: 'end', text: 'rare', by: '' })).toEqual({
      title: 'Tin robot rare',
    });
    expect(planBody({ field: 'title', longest: 80, how: 'replace', text: 'car', by: 'x' })).toBe('notThere');
    const inHtml = (text: string, by: string, description: string) =>
      planBody({ field: 'description', how: 'replace', text, by }, { description });
    expect(inHtml('amp', 'lamp', '<p>A &amp; B</p>')).toBe('notThere');
    expect(inHtml('amp', 'lamp', '<p>An amp &amp; B</p>')).toEqual({ description: '<p>An lamp &amp; B</p>' });
    expect(inHtml('A & B', 'C', '<p>A &amp; B, A &#38; B&eacute;</p>')).toEqual({ description: '<p>C, C&eacute;</p>' });
    expect(inHtml('café', 'tea', '<p>caf&eacute; &lt;3</p>')).toEqual({ description: '<p>tea &lt;3</p>' });
    const dollars = { how: 'replace', text: 'robot', by: "$& $$ $'" } as const;
    expect(planBody({ field: 'title', longest: 80, ...dollars })).toEqual({ title: "Tin $& $$ $'" });
    expect(planBody({ field: 'description', ...dollars })).toEqual({
      description: `<p class="robot">A $&amp; $$ $' &amp; its box</p>`,
    });
  });

  test('limits a title to the channel’s maximum number of characters', () => {
    const addTo = (longest: number | null, text: string) =>
      planBody({ field: 'title', longest, how: 'end', text, by: '' });
    expect(addTo(80, 'x'.repeat(71))).toBe('tooLong');
    expect(addTo(80, '🦊'.repeat(70))).toEqual({ title: `Tin robot ${'🦊'.repeat(70)}` });
    expect(addTo(100, 'x'.repeat(71))).toEqual({ title: `Tin robot ${'x'.repeat(71)}` });
    expect(addTo(null, 'x'.repeat(300))).toEqual({ title: `Tin robot ${'x'.repeat(300)}` });
  });

  test('sets offer limits as a percentage of each price', () => {
    const offers = { field: 'bestOffer', enabled: true, acceptPercent: 9_000, declinePercent: 5_050 } as const;
    expect(planBody(offers, { status: 'published', price: 999 })).toEqual({
      bestOffer: { enabled: true, autoAcceptCents: 899, autoDeclineCents: 504 },
    });
    expect(planBody(offers, { status: 'published', price: 123_400, currency: 'JPY' })).toEqual({
      bestOffer: { enabled: true, autoAcceptCents: 111_000, autoDeclineCents: 62_300 },
    });
    expect(planBody(offers, { price: 999 })).toEqual({
      bestOffer: { enabled: true, autoAcceptCents: 899, autoDeclineCents: 504 },
    });
    expect(planBody(offers, { status: 'published', format: 'AUCTION' })).toBe('auction');
  });

  test('skips a listing that the companion has never read', () => {
    expect(planBulkChanges([{ row, listing: null }], { field: 'quantity', value: 3 }).left).toEqual([
      { row, why: 'notRead' },
    ]);
  });
});

test('the undo of a bulk change restores only listings that have not changed since', () => {
  const targets = [
    createTarget({ listingId: 'a' }),
    createTarget({ listingId: 'b' }),
    createTarget({ listingId: 'c' }),
  ];
  const { changes } = planBulkChanges(targets, {
    field: 'price',
    rule: parseRule('percent', '-10'),
    medians: new Map(),
  });
  const later = [
    createTarget({ listingId: 'a', price: 900 }),
    createTarget({ listingId: 'b', price: 850 }),
    createTarget({ listingId: 'c', price: 900, status: 'ended' }),
  ];
  const back = planBulkUndo(later, { field: 'price', rows: changes });
  expect(back.changes.map(({ row: { listingId }, body }) => [listingId, body])).toEqual([['a', { price: 1_000 }]]);
  expect(back.left.map(({ why }) => why)).toEqual(['changedSince', 'notEditable']);
});

test('the undo of a bulk change skips a field that cannot be emptied', () => {
  const { changes } = planBulkChanges([createTarget()], { field: 'packageWeightGrams', value: 400 });
  const back = planBulkUndo([createTarget({ packageWeightGrams: 400 })], {
    field: 'packageWeightGrams',
    rows: changes,
  });
  expect(back.left.map(({ why }) => why)).toEqual(['noneBefore']);
});
