import * as z from 'zod';
import { skipToken, useQuery } from '@tanstack/react-query';
import { readServiceAnswer, type Listing } from '../../../api/call.ts';

/** `x` is in percent of the width. `up` is the position in a stack of dots and starts at 0. */
export type PriceDot = { x: number; up: number };
export type PriceScale = { x: (cents: number) => number; ticks: readonly number[] };

const roundSteps = [1, 2, 2.5, 5, 10];

/** Returns a round step (1, 2, 2.5 or 5 times a power of ten) that splits `span` into about `count` parts. */
const chooseRoundStep = (span: number, count: number): number => {
  const raw = Math.max(1, span / count);
  const power = 10 ** Math.floor(Math.log10(raw));
  return Math.max(1, Math.round((roundSteps.find((step) => step * power >= raw) ?? 10) * power));
};

export const createPriceScale = (cents: readonly number[]): PriceScale => {
  const least = Math.min(...cents);
  const most = Math.max(...cents);
  const span = Math.max(most - least, most / 10, 100);
  const step = chooseRoundStep(span, 4);
  const first = Math.ceil(least / step) * step;
  const ticks = Array.from({ length: Math.floor((least + span - first) / step) + 1 }, (_, at) => first + at * step);
  return { x: (price) => 6 + (88 * (price - least)) / span, ticks };
};

/** `widthPercent` is the width of a dot in percent of the line. */
export const stackPriceDots = (xs: readonly number[], widthPercent: number): PriceDot[] => {
  const placed: PriceDot[] = [];
  for (const x of xs) {
    const beside = placed.filter((dot) => Math.abs(dot.x - x) < widthPercent).map(({ up }) => up);
    let up = 0;
    while (beside.includes(up)) up += 1;
    placed.push({ x, up });
  }
  return placed;
};

/** The API does not define the shape of an offer, so the schema parses only the known part. */
const offerSchema = z.looseObject({
  title: z.string().default(''),
  priceCents: z.int().nonnegative(),
  currency: z.string().nullish(),
  condition: z.string().nullish(),
});
const compsSchema = z.looseObject({
  currency: z.string().nullish(),
  suggestedPriceCents: z.int().nullish(),
  comps: z.array(offerSchema).default([]),
});
export type Offer = z.infer<typeof offerSchema>;
/** `offers` are sorted by price, cheapest first. */
export type ComparableOffers = { currency: string | null; suggestedCents: number | null; offers: readonly Offer[] };

/** The search terms at the time of the request. Later edits of the listing do not change the terms. */
export type ComparisonQuery = { q: string; categoryId: string | undefined; marketplaceId: string | undefined };

const maxOffers = 60;

export const createComparisonQuery = ({ title, categoryId, marketplaceId }: Listing): ComparisonQuery => ({
  q: title ?? '',
  categoryId: categoryId ?? undefined,
  marketplaceId: marketplaceId ?? undefined,
});

/** The marketplace limits these calls, so they are made only when the person asks for the prices. */
export const createCompsQuery = (of: ComparisonQuery) => ({
  queryKey: ['comps', of],
  queryFn: () => readServiceAnswer('searchComps', { query: { ...of, limit: maxOffers } }),
});

export const parseComparableOffers = (answer: unknown): ComparableOffers => {
  const { currency, suggestedPriceCents, comps } = compsSchema.parse(answer);
  // Offers in another currency are left out, because their prices do not fit on the same scale.
  const offers = comps.filter((one) => (one.currency ?? currency) === currency);
  return {
    currency: currency ?? null,
    suggestedCents: suggestedPriceCents || null,
    offers: offers.sort((a, b) => a.priceCents - b.priceCents),
  };
};

/** Null disables the query. */
export const useComparableOffers = (of: ComparisonQuery | null) =>
  useQuery({
    queryKey: ['comps', of],
    queryFn: of === null ? skipToken : createCompsQuery(of).queryFn,
    select: parseComparableOffers,
  });

export const computeMedianPrice = (offers: readonly Offer[]): number | null => {
  const low = offers[(offers.length - 1) >> 1];
  const high = offers[offers.length >> 1];
  return low && high ? Math.round((low.priceCents + high.priceCents) / 2) : null;
};
