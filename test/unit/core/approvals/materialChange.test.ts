import { expect, test } from 'vitest';
import { isMaterialChange, type PromptFacts } from '../../../../src/core/approvals/checks/materialChange.ts';

const facts = (listing: Record<string, unknown>, more: Partial<PromptFacts> = {}): PromptFacts => ({
  route: 'publishListing',
  input: { params: { listingId: 'l_1' }, body: {} },
  listing: { listingId: 'l_1', title: 'Fox', price: 1_000, marketplaceId: 'MKT_US', ...listing },
  photos: ['a', 'b'],
  context: {},
  ...more,
});
const revise = (body: Record<string, unknown>): PromptFacts =>
  facts({}, { route: 'reviseListing', input: { params: { listingId: 'l_1' }, body } });

test.each<[what: string, before: PromptFacts, after: PromptFacts, isMaterial: boolean]>([
  ['photos in another order', facts({}), facts({}, { photos: ['b', 'a'] }), false],
  ['a photo that comes twice', facts({}), facts({}, { photos: ['a', 'b', 'a'] }), false],
  ['another photo', facts({}), facts({}, { photos: ['a', 'c'] }), true],
  ['photos that are not known', facts({}), facts({}, { photos: null }), false],
  ['another currency', facts({ currency: 'USD' }), facts({ currency: 'EUR' }), true],
  ['the currency of another site', facts({}), facts({ marketplaceId: 'MKT_DE' }), true],
  ['a currency that is named and is that of the site', facts({}), facts({ currency: 'USD' }), false],
  [
    'another currency where neither has a price',
    facts({ price: null, currency: 'USD' }),
    facts({ price: null, currency: 'EUR' }),
    false,
  ],
  ['a price that is absent and then there', facts({ price: undefined }), facts({}), true],
  ['a price that is there and then absent', facts({}), facts({ price: undefined }), true],
  ['a price that is absent twice', facts({ price: undefined }), facts({ price: null }), false],
  ['a price that is set to what it is', facts({}, revise({})), revise({ price: 1_000 }), false],
  ['a price that a request sets otherwise', revise({ price: 990 }), revise({ price: 940 }), true],
])('material changes of a request are recognized: %s', (_what, before, after, isMaterial) => {
  expect(isMaterialChange(before, after)).toBe(isMaterial);
});
