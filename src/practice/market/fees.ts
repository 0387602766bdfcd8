import { findSiteById } from './sites.ts';
import { findCategoryById } from './taxonomy.ts';
import { findOwnEntry } from '../../contract/untrusted.ts';

export type ListingFormat = 'FIXED_PRICE' | 'AUCTION';

/** `priceCents` is in minor units of the site's currency. */
export type QuoteRequest = {
  site: string;
  priceCents: number;
  format: ListingFormat;
  categoryId: string;
  reserveCents?: number | undefined;
};

export type FeeLine = { name: string; amountMinor: number };

export type Quote = {
  state: 'fee' | 'free' | 'unavailable';
  currency: string;
  totalMinor: number;
  lines: FeeLine[];
  reason?: string;
};

type InsertionFee = number | readonly (readonly [below: number, feeMinor: number])[];

type FeeTable = { insertion: InsertionFee; auctionMinor: number; reservePercent: number };

const freeTable: FeeTable = { insertion: 0, auctionMinor: 0, reservePercent: 0 };
const reserveOnlyTable: FeeTable = { insertion: 0, auctionMinor: 0, reservePercent: 4 };

const feeTables: Readonly<Record<string, FeeTable>> = {
  MKT_US: { insertion: 35, auctionMinor: 0, reservePercent: 7.5 },
  MKT_GB: {
    insertion: [
      [1000, 0],
      [5000, 35],
      [Infinity, 75],
    ],
    auctionMinor: 0,
    reservePercent: 4,
  },
  MKT_DE: freeTable,
  MKT_FR: freeTable,
  MKT_IT: reserveOnlyTable,
  MKT_ES: reserveOnlyTable,
  MKT_AT: freeTable,
  MKT_CH: { insertion: 50, auctionMinor: 25, reservePercent: 3 },
  MKT_NL: freeTable,
  MKT_BE: freeTable,
  MKT_IE: reserveOnlyTable,
  MKT_PL: { insertion: 0, auctionMinor: 99, reservePercent: 2 },
  MKT_CA: { insertion: 35, auctionMinor: 0, reservePercent: 7.5 },
  MKT_AU: { insertion: 165, auctionMinor: 0, reservePercent: 2 },
  MKT_SE: { insertion: 300, auctionMinor: 200, reservePercent: 2 },
};

const surchargedCategories: Readonly<Record<string, number>> = { '6001': 20, '8002': 30 };

const computeInsertionFee = (insertion: InsertionFee, priceCents: number): number =>
  typeof insertion === 'number' ? insertion : (insertion.find(([below]) => priceCents < below)?.[1] ?? 0);

const buildFeeLines = (table: FeeTable, { priceCents, format, categoryId, reserveCents }: QuoteRequest): FeeLine[] => {
  const insertion = computeInsertionFee(table.insertion, priceCents);
  const auction = format === 'AUCTION';
  const lines = [
    { name: 'Insertion fee', amountMinor: insertion },
    // A free listing has no surcharge, so that it stays free.
    {
      name: 'Category surcharge',
      amountMinor: insertion > 0 ? (findOwnEntry(surchargedCategories, categoryId) ?? 0) : 0,
    },
    { name: 'Auction fee', amountMinor: auction ? table.auctionMinor : 0 },
    {
      name: 'Reserve price fee',
      amountMinor: auction && reserveCents ? Math.round((reserveCents * table.reservePercent) / 100) : 0,
    },
  ];
  return lines.filter(({ amountMinor }) => amountMinor > 0);
};

const createUnavailableQuote = (currency: string, reason: string): Quote => ({
  state: 'unavailable',
  currency,
  totalMinor: 0,
  lines: [],
  reason,
});

/** Quotes the marketplace's fee for a listing. The lines add up to the total. */
export const quoteMarketplaceFee = (request: QuoteRequest): Quote => {
  const site = findSiteById(request.site);
  const table = findOwnEntry(feeTables, request.site);
  if (!site || !table) return createUnavailableQuote('USD', 'This marketplace site has no fee table.');
  if (!findCategoryById(request.categoryId))
    return createUnavailableQuote(site.currency, 'The listing has no category yet.');
  if (!(request.priceCents > 0)) return createUnavailableQuote(site.currency, 'The listing has no price yet.');
  const lines = buildFeeLines(table, request);
  const totalMinor = lines.reduce((sum, line) => sum + line.amountMinor, 0);
  return { state: totalMinor > 0 ? 'fee' : 'free', currency: site.currency, totalMinor, lines };
};
