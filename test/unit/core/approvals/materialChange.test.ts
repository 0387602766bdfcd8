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
  ['a duplicated photo', facts({}), facts({}, { photos: ['a', 'b', 'a'] }), false],
  ['a replaced photo', facts({}), facts({}, { photos: ['a', 'c'] }), true],
  ['unknown photos', facts({}), facts({}, { photos: null }), false],
  ['another currency', facts({ currency: 'USD' }), facts({ currency: 'EUR' }), true],
  ['the currency of another site', facts({}), facts({ marketplaceId: 'MKT_DE' }), true],
  ['the currency of the site, named explicitly', facts({}), facts({ currency: 'USD' }), false],
  [
    'another currency without a price',
    facts({ price: null, currency: 'USD' }),
    facts({ price: null, currency: 'EUR' }),
    false,
  ],
  ['a price that appears', facts({ price: undefined }), facts({}), true],
  ['a price that disappears', facts({}), facts({ price: undefined }), true],
  ['a price that is missing before and after', facts({ price: undefined }), facts({ price: null }), false],
  ['a price set to its current value', facts({}, revise({})), revise({ price: 1_000 }), false],
  ['a different requested price', revise({ price: 990 }), revise({ price: 940 }), true],
])('a change is correctly classified as material or harmless: %s', (_what, before, after, isMaterial) => {
  expect(isMaterialChange(before, after)).toBe(isMaterial);
});
