import { expect, test } from 'vitest';
import { listing, type Listing } from '../../../src/contract/index.ts';
import {
  computeMedianPrice,
  stackPriceDots,
  createPriceScale,
} from '../../../src/renderer/src/screens/items/review/compStatistics.ts';
import { buildOfferChanges } from '../../../src/renderer/src/screens/items/review/fields/offers.ts';
import { listChangesSinceWritten } from '../../../src/renderer/src/screens/items/review/ChangesSinceWritten.tsx';
import { readShownTexts } from '../../../src/renderer/src/screens/items/review/WrittenChangesTable.tsx';
import {
  groupBlockersByName,
  collectSpecifics,
  sortRequiredFirst,
  toSpecificRows,
} from '../../../src/renderer/src/screens/items/review/fields/SpecificsField.tsx';
import { fakeListings } from '../../helpers/fakes/fakeData.ts';

const createFox = (more: Partial<Listing> = {}): Listing => ({ ...listing.parse(fakeListings().lst_fox), ...more });

test('an unchanged listing has no changes to review', () => {
  expect(listChangesSinceWritten(createFox(), createFox({ updatedAt: 'now', publishBlockers: [] }))).toEqual([]);
});

test('each change to review has an edit that restores only its field', () => {
  const now = createFox({
    title: 'Fox',
    price: 2_000,
    itemSpecifics: { Material: 'Clay', Height: '12 cm', Style: 'Vintage', Age: '40' },
  });
  const changes = listChangesSinceWritten(createFox(), now);
  expect(changes.map(({ field }) => field)).toEqual([
    'title',
    'price',
    'itemSpecifics.Material',
    'itemSpecifics.Colour',
    'itemSpecifics.Age',
  ]);
  expect(changes[1]).toMatchObject({ was: 'US$34.99', now: 'US$20.00', back: { price: 3_499 } });
  expect(changes[2]?.back).toEqual({ itemSpecifics: { ...now.itemSpecifics, Material: 'Ceramic' } });
  expect(changes[3]?.back).toEqual({ itemSpecifics: { ...now.itemSpecifics, Colour: 'Red, white' } });
  expect(changes[4]?.back).toEqual({ itemSpecifics: { Material: 'Clay', Height: '12 cm', Style: 'Vintage' } });
});

test('a description is compared as visible text and restored as HTML', () => {
  const was = createFox({ description: '<p>Old &amp; good</p>' });
  const [change] = listChangesSinceWritten(was, createFox({ description: '<p>Old &amp; <b>bad</b></p>' }));
  expect(change?.back).toEqual({ description: '<p>Old &amp; good</p>' });
  expect(change && readShownTexts(change)).toEqual({ was: 'Old & good', now: 'Old & bad' });
  const [retagged] = listChangesSinceWritten(was, createFox({ description: '<div>Old &amp; good</div>' }));
  expect(retagged && readShownTexts(retagged)).toEqual({
    was: '<p>Old &amp; good</p>',
    now: '<div>Old &amp; good</div>',
  });
});

test('an empty original value cannot be restored', () => {
  expect(listChangesSinceWritten(createFox({ title: null, price: null }), createFox()).map(({ back }) => back)).toEqual(
    [null, null],
  );
});

test('required specifics are listed first, even if they are empty', () => {
  const rows = toSpecificRows({ Colour: 'Red', Material: 'Clay' });
  const shown = sortRequiredFirst(rows, ['Material', 'Brand']);
  expect(shown.map(({ name, value, required }) => [name, value, required])).toEqual([
    ['Material', 'Clay', true],
    ['Brand', '', true],
    ['Colour', 'Red', false],
  ]);
  expect(new Set(shown.map(({ key }) => key)).size).toBe(3);
  expect(collectSpecifics(shown)).toEqual({ Material: 'Clay', Colour: 'Red' });
});

test('a blocker of a specific is listed under the name of the specific', () => {
  const blockers = [
    { field: 'itemSpecifics.Maker’s mark', message: 'Needed.' },
    { field: 'title', message: 'Too long.' },
    { field: 'itemSpecifics.Size' },
  ];
  expect([...groupBlockersByName(blockers)]).toEqual([['Maker’s mark', 'Needed.']]);
});

const draft = { format: 'FIXED_PRICE' as const, enabled: true, accept: '', decline: '' };

test('offer settings are sent only with valid limits', () => {
  const listing = createFox({ price: 3_000, format: 'FIXED_PRICE' });
  expect(buildOfferChanges(listing, { ...draft, accept: '25', decline: '19,50' })).toEqual({
    bestOffer: { enabled: true, autoAcceptCents: 2_500, autoDeclineCents: 1_950 },
  });
  expect(buildOfferChanges(listing, { ...draft, format: 'AUCTION', accept: '25' })).toEqual({
    format: 'AUCTION',
    bestOffer: { enabled: false },
  });
  for (const wrong of [{ accept: '31' }, { decline: '30.01' }, { accept: '20', decline: '20' }, { accept: 'much' }])
    expect(typeof buildOfferChanges(listing, { ...draft, ...wrong })).toBe('string');
  expect(buildOfferChanges(createFox({ format: null }), draft)).toEqual({ bestOffer: { enabled: true } });
});

test('asking prices are shown on a scale with round amounts and without overlapping dots', () => {
  const cents = [1_899, 2_100, 2_100, 2_100, 5_595];
  const { x, ticks } = createPriceScale(cents);
  expect(ticks).toEqual([2_000, 3_000, 4_000, 5_000]);
  const dots = stackPriceDots(cents.map(x), 3.4);
  expect(dots.map(({ up }) => up)).toEqual([0, 0, 1, 2, 0]);
  expect(dots.every((dot) => dot.x > 0 && dot.x < 100)).toBe(true);
  expect(createPriceScale([900]).ticks.length).toBeGreaterThan(0);
  expect(computeMedianPrice(cents.map((priceCents) => ({ title: '', priceCents })))).toBe(2_100);
  expect(computeMedianPrice([])).toBeNull();
});
