import type { ListingRow } from '../../../../src/core/storage/tables/listingSearch.ts';
import { listing } from '../../../../src/contract/index.ts';
import type { CallParsed } from '../../../../src/ipc/calls.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { writtenOf } from '../fakeReview.ts';

type Listings = Pick<Answers, Extract<keyof Answers, `listings.${string}`>>;

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

/** Listings of all states, on three sites, newest first. */
export const fakeRows = (count: number): ListingRow[] =>
  Array.from({ length: count }, (_, at) => {
    const site = ['MKT_US', 'MKT_DE', 'MKT_GB'][at % 3] ?? 'MKT_US';
    return {
      listingId: `lst_${at}`,
      status: states[at % states.length] ?? 'published',
      title: `${things[at % things.length]}, ${colours[at % colours.length]}, no. ${at + 1}`,
      site,
      currency: { MKT_US: 'USD', MKT_DE: 'EUR', MKT_GB: 'GBP' }[site] ?? null,
      priceCents: 500 + ((at * 737) % 20_000),
      quantity: (at % 4) + 1,
      condition: at % 2 === 0 ? 'USED_GOOD' : 'LIKE_NEW',
      categoryName: 'Collectables > Animals',
      sku: at % 5 === 0 ? `S-${at}` : null,
      photoUrl: `/photos/${photos[at % photos.length]}-${at % 3}/thumb`,
      pageUrl: null,
      listedAt: Date.now() - at * (day / 20),
      changedAt: Date.now() - at * (day / 40),
      isMissing: false,
    };
  });

const has = (row: ListingRow, q: string): boolean =>
  q
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => (row.title ?? '').toLowerCase().includes(word));

const byPrice = (a: ListingRow, b: ListingRow): number => (a.priceCents ?? 0) - (b.priceCents ?? 0);
const orders: Record<CallParsed<'listings.search'>['sort'], ((a: ListingRow, b: ListingRow) => number) | null> = {
  newest: null,
  oldest: (a, b) => a.listedAt - b.listedAt,
  cheapest: byPrice,
  dearest: (a, b) => byPrice(b, a),
  title: (a, b) => (a.title ?? '').localeCompare(b.title ?? ''),
  titleDown: (a, b) => (b.title ?? '').localeCompare(a.title ?? ''),
  status: (a, b) => a.status.localeCompare(b.status),
  statusDown: (a, b) => b.status.localeCompare(a.status),
};

/** A listing in full: as it was written or edited here, else as its row says. */
export const keptListing = (fake: Fake, listingId: string): Record<string, unknown> | null => {
  const row = fake.rows.find((one) => one.listingId === listingId);
  if (fake.listings[listingId] || !row) return fake.listings[listingId] ?? null;
  const at = Number(listingId.replace(/\D/g, ''));
  return {
    ...row,
    marketplaceId: row.site,
    price: row.priceCents,
    suggestedPrice: at % 3 === 1 ? null : (row.priceCents ?? 0) + 321,
    categoryId: 'collectables',
    description: '<p>Well kept.</p>',
    itemSpecifics: { Brand: 'Acme' },
  };
};

/** The listings on this machine: found, counted and taken out. */
export const listingCalls = (fake: Fake): Listings => {
  const found = (filter: CallParsed<'listings.export'>): ListingRow[] =>
    fake.rows.filter(
      (row) =>
        has(row, filter.q) &&
        (filter.statuses.length === 0 || filter.statuses.includes(row.status)) &&
        (!filter.site || row.site === filter.site) &&
        row.listedAt >= (filter.from ?? -Infinity) &&
        row.listedAt <= (filter.to ?? Infinity) &&
        (row.priceCents ?? 0) >= (filter.minCents ?? 0) &&
        (row.priceCents ?? 0) <= (filter.maxCents ?? Infinity),
    );
  const counts: Answers['listings.counts'] = () => {
    const statuses: Partial<Record<ListingRow['status'], number>> = {};
    const sites = new Map<string, number>();
    for (const { status, site } of fake.rows) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (site) sites.set(site, (sites.get(site) ?? 0) + 1);
    }
    return {
      all: fake.rows.length,
      missing: fake.rows.filter(({ isMissing }) => isMissing).length,
      statuses,
      sites: [...sites].map(([site, count]) => ({ site, count })),
      sync: { running: false, read: fake.rows.length, doneAt: Date.now() - 240_000, problem: null },
    };
  };
  return {
    'listings.search': ({ sort, offset, limit, ...filter }) => {
      const order = orders[sort];
      const all = order ? found(filter).sort(order) : found(filter);
      return { total: all.length, rows: all.slice(offset, offset + limit) };
    },
    'listings.counts': counts,
    'listings.kept': ({ listingId }) => listing.nullable().parse(keptListing(fake, listingId)),
    'listings.written': writtenOf(fake),
    'listings.isUnknown': ({ listingId }) => fake.rows.some((row) => row.listingId === listingId && row.isMissing),
    'listings.forgetUnknown': ({ listingId }) => {
      fake.rows = fake.rows.filter((row) => row.listingId !== listingId);
      fake.changed('listings');
      return null;
    },
    'listings.keepBulkEdit': ({ editId, ...edit }) => {
      const others = fake.bulkEdits.filter((one) => one.editId !== editId);
      fake.bulkEdits = edit.rows.length === 0 ? others : [...others, { editId, ...edit }];
      fake.changed('listings');
      return null;
    },
    'listings.lastBulkEdit': () => {
      const { field, rows } = fake.bulkEdits.at(-1) ?? { field: '', rows: [] };
      const valueOf = (from: object | null): string =>
        JSON.stringify(Object.entries(from ?? {}).find(([name]) => name === field)?.[1] ?? null);
      const changed = rows.flatMap(({ listingId, body, old }) => {
        const row = fake.rows.find((one) => one.listingId === listingId);
        return row && valueOf(keptListing(fake, listingId)) !== valueOf(old) ? [{ row, body, old }] : [];
      });
      return changed.length === 0 ? null : { field, rows: changed };
    },
    'listings.forgetBulkEdits': () => {
      fake.bulkEdits = [];
      fake.changed('listings');
      return null;
    },
    'listings.again': counts,
    'listings.export': (filter) => ({
      name: 'listings.csv',
      type: 'text/csv',
      text: ['listing_id', ...found(filter).map(({ listingId }) => listingId)].join('\r\n'),
    }),
  };
};
