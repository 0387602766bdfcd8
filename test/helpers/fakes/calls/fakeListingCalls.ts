import type { ListingRow } from '../../../../src/core/storage/tables/listings/listingSearch.ts';
import { listing } from '../../../../src/contract/index.ts';
import { createCoreAnswers } from '../askCore.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { toListingFields } from '../listingFields.ts';

const things = [
  'Film camera',
  'Paperback novel',
  'Running shoes',
  'Ceramic fox',
  'Desk lamp',
  'Board game',
  'Tin robot',
];
const colours = ['blue', 'red', 'green', 'black'];
const photos = ['camera', 'book', 'shoes', 'fox', 'frame', 'plants', 'scooter'];
const states: readonly ListingRow['status'][] = ['published', 'published', 'sold', 'ended', 'pending_review', 'draft'];
const day = 86_400_000;

/** Creates listings in all states on three sites, newest first. */
export const createRows = (count: number): ListingRow[] =>
  Array.from({ length: count }, (_, at) => {
    const site = ['MKT_US', 'MKT_DE', 'MKT_GB'][at % 3] ?? 'MKT_US';
    const status = states[at % states.length] ?? 'published';
    const wasLive = ['published', 'sold', 'ended'].includes(status);
    return {
      listingId: `lst_${at}`,
      status,
      title: `${things[at % things.length]}, ${colours[at % colours.length]}, no. ${at + 1}`,
      site,
      currency: { MKT_US: 'USD', MKT_DE: 'EUR', MKT_GB: 'GBP' }[site] ?? null,
      priceCents: 500 + ((at * 737) % 20_000),
      quantity: (at % 4) + 1,
      condition: at % 2 === 0 ? 'USED_GOOD' : 'LIKE_NEW',
      categoryName: 'Collectables > Animals',
      sku: at % 5 === 0 ? `S-${at}` : null,
      sentSku: null,
      photoUrl: `/photos/${photos[at % photos.length]}-${at % 3}/thumb`,
      pageUrl: null,
      listedAt: Date.now() - at * (day / 20),
      changedAt: Date.now() - at * (day / 40),
      liveAt: wasLive ? Date.now() - (at + 2) * day : null,
      endedAt: wasLive && status !== 'published' ? Date.now() - (at + 1) * day : null,
      isMissing: false,
      shelf: null,
    };
  });

const isUnsuggested = (listingId: string): boolean => Number(listingId.replace(/\D/g, '')) % 3 === 1;

const buildListing = (row: ListingRow) => ({
  ...toListingFields(row),
  ...{ categoryId: '6004', imageUrls: [''], createdAt: new Date(row.listedAt).toISOString() },
  suggestedPrice: isUnsuggested(row.listingId) ? null : (row.priceCents ?? 0) + 321,
  ...{ description: '<p>Well kept.</p>', itemSpecifics: { Brand: 'Acme' } },
});

/** Returns a listing with all fields: as generated or edited in the fake, else with the values of its row. */
export const findListing = (fake: Fake, listingId: string): Record<string, unknown> | null => {
  const row = fake.rows.find((one) => one.listingId === listingId);
  return fake.listings[listingId] ?? (row ? buildListing(row) : null);
};

/** Keeps a listing that the service has changed. */
export const keepListing = (fake: Fake, changed: Record<string, unknown> & { listingId: string }): void => {
  const { listingId, status, price, quantity } = listing.parse(changed);
  fake.listings[listingId] = changed;
  fake.rows = fake.rows.map((row) =>
    row.listingId === listingId
      ? { ...row, status, priceCents: price ?? row.priceCents, quantity: quantity ?? row.quantity }
      : row,
  );
};

/** The fox as generated: another title, another price, one specific fewer. */
const generatedFox = {
  title: 'Vintage Fox Figurine, Ceramic, Painted, 12 cm, Sitting',
  price: 3_999,
  itemSpecifics: { Material: 'Ceramic', Colour: 'Red', Height: '12 cm' },
};

/** Calls about data that the core does not have. */
export const createListingCalls = (fake: Fake) => {
  const core = createCoreAnswers(fake);
  const tell = async <T>(answer: T | Promise<T>): Promise<T> => {
    const answered = await answer;
    fake.changed('listings');
    return answered;
  };
  return {
    'listings.kept': ({ listingId }) => listing.nullable().parse(findListing(fake, listingId)),
    /** Only the fox has been changed since its generation. */
    'listings.written': ({ listingId }) => {
      const now = fake.listings[listingId];
      if (!now) return null;
      const was = listingId === 'lst_fox' ? { ...now, ...generatedFox } : now;
      return { listing: listing.parse(was), at: Date.now() - 600_000, wentLive: now.everLive === true };
    },
    'listings.forgetUnknown': async ({ listingId }) => {
      await core['listings.forgetUnknown']({ listingId });
      fake.rows = fake.rows.filter((row) => row.listingId !== listingId);
      return tell(null);
    },
    'listings.keepBulkEdit': (edit) => tell(core['listings.keepBulkEdit'](edit)),
    'listings.forgetBulkEdits': (input) => tell(core['listings.forgetBulkEdits'](input)),
  } satisfies Partial<Answers>;
};
