import { listing } from '../../../src/contract/index.ts';
import type { Answers, Fake } from './fakeCompanion.ts';
import { refuseCall } from './fakeRefusal.ts';
import type { Input, RouteAnswers } from './fakeService.ts';

/** The fox as generated: another title, another price, one specific fewer. */
const generatedFox = {
  title: 'Vintage Fox Figurine, Ceramic, Painted, 12 cm, Sitting',
  price: 3_999,
  itemSpecifics: { Material: 'Ceramic', Colour: 'Red', Height: '12 cm' },
};

/** Returns the generated text of a listing; only the fox has been changed since. */
export const createWrittenAnswer =
  (fake: Fake): Answers['listings.written'] =>
  ({ listingId }) => {
    const now = fake.listings[listingId];
    if (!now) return null;
    const was = listingId === 'lst_fox' ? { ...now, ...generatedFox } : now;
    return { listing: listing.parse(was), at: Date.now() - 600_000, wentLive: now.everLive === true };
  };

const foxes = {
  categoryId: '1201',
  categoryName: 'Foxes',
  path: ['Collectables', 'Animals', 'Foxes'],
  requiredSpecifics: ['Material', 'Brand'],
  recommendedSpecifics: ['Colour', 'Maker’s mark', 'Year'],
};
const figurines = { categoryId: '2', categoryName: 'Figurines', path: ['Home', 'Decoration', 'Figurines'] };

const conditions = ['USED_GOOD', 'NEW', 'LIKE_NEW', 'USED_GOOD', 'FOR_PARTS'];
const comps = Array.from({ length: 17 }, (_, at) => ({
  title: `Ceramic fox figurine, no. ${at + 1}`,
  priceCents: 1_899 + ((at * 731) % 4_000),
  currency: 'USD',
  condition: conditions[at % conditions.length],
}));

/** Generates a listing for another site: it stays in work until the test ends that, and then has another text. */
const adaptListing = (fake: Fake, { params, body }: Input): unknown => {
  const id = params?.['listingId'] ?? '';
  const before = fake.listings[id];
  const item = fake.items.find(({ listingId }) => listingId === id);
  fake.listings[id] = { ...before, status: 'processing' };
  if (item) Object.assign(item, { step: 'writing' });
  fake.endWriting = () => {
    const marketplaceId = body?.['targetMarketplaceId'];
    fake.listings[id] = { ...before, marketplaceId, currency: 'EUR', title: 'Roter Fuchs aus Keramik, handbemalt' };
    if (item) Object.assign(item, { step: 'review' });
    for (const topic of ['items', 'listings']) fake.changed(topic);
  };
  fake.changed('items');
  return {};
};

/** The service's answers during a review. */
export const reviewAnswers: RouteAnswers = {
  searchComps: () => ({ marketplaceId: 'MKT_US', currency: 'USD', suggestedPriceCents: 3_899, comps }),
  searchCategories: (_fake, { query }) => {
    if (query?.['categoryId']) return { categories: query['categoryId'] === '1201' ? [foxes] : [] };
    return { categories: [{ categoryId: '1', categoryName: `Collectables > ${query?.['q'] ?? ''}` }, figurines] };
  },
  generateListing: adaptListing,
  createListing: (fake) => {
    const made = { listingId: 'lst_made', status: 'draft' };
    fake.listings.lst_made = made;
    return made;
  },
  relistListing: (fake, { params }) => {
    const id = params?.['listingId'] ?? '';
    const row = fake.rows.find(({ listingId }) => listingId === id);
    if (row && row.status !== 'ended') return refuseCall('WRONG_STATE', 'Only an ended listing can be brought back.');
    fake.rows = fake.rows.map((one) => (one === row ? { ...one, status: 'pending_review' as const } : one));
    fake.changed('listings');
    return {};
  },
  revertListing: (fake, { params }) => {
    const id = params?.['listingId'] ?? '';
    fake.listings[id] = { ...fake.listings[id], status: 'pending_review', processingError: null };
    return {};
  },
};
