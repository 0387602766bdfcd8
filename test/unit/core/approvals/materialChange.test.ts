import { expect, test } from 'vitest';
import { isMaterialChange, type PromptFacts } from '../../../../src/core/approvals/checks/materialChange.ts';

const createFacts = (listing: Record<string, unknown>, more: Partial<PromptFacts> = {}): PromptFacts => ({
  route: 'publishListing',
  input: { params: { listingId: 'l_1' }, body: {} },
  listing: { listingId: 'l_1', title: 'Fox', price: 1_000, marketplaceId: 'MKT_US', ...listing },
  photos: ['a', 'b'],
  context: {},
  ...more,
});
const createRevision = (body: Record<string, unknown>): PromptFacts =>
  createFacts({}, { route: 'reviseListing', input: { params: { listingId: 'l_1' }, body } });

test.each<[what: string, before: PromptFacts, after: PromptFacts, isMaterial: boolean]>([
  ['photos in another order', createFacts({}), createFacts({}, { photos: ['b', 'a'] }), false],
  ['a duplicated photo', createFacts({}), createFacts({}, { photos: ['a', 'b', 'a'] }), false],
  ['a replaced photo', createFacts({}), createFacts({}, { photos: ['a', 'c'] }), true],
  ['unknown photos', createFacts({}), createFacts({}, { photos: null }), false],
  ['another currency', createFacts({ currency: 'USD' }), createFacts({ currency: 'EUR' }), true],
  ['the currency of another site', createFacts({}), createFacts({ marketplaceId: 'MKT_DE' }), true],
  ['the currency of the site, named explicitly', createFacts({}), createFacts({ currency: 'USD' }), false],
  [
    'another currency without a price',
    createFacts({ price: null, currency: 'USD' }),
    createFacts({ price: null, currency: 'EUR' }),
    false,
  ],
  ['a price that appears', createFacts({ price: undefined }), createFacts({}), true],
  ['a price that disappears', createFacts({}), createFacts({ price: undefined }), true],
  ['a price that is missing before and after', createFacts({ price: undefined }), createFacts({ price: null }), false],
  ['a price set to its current value', createFacts({}, createRevision({})), createRevision({ price: 1_000 }), false],
  ['a different requested price', createRevision({ price: 990 }), createRevision({ price: 940 }), true],
])('a change is correctly classified as material or harmless: %s', (_what, before, after, isMaterial) => {
  expect(isMaterialChange(before, after)).toBe(isMaterial);
});
