import * as z from 'zod';
import { skipToken, useQuery } from '@tanstack/react-query';
import { read, type Listing } from '../../../api/call.ts';

/** Where a price stands: its share of the width in percent, and its place in the pile of those that stand there, from 0. */
export type Dot = { x: number; up: number };
export type Scale = { x: (cents: number) => number; ticks: readonly number[] };

const steps = [1, 2, 2.5, 5, 10];

/** A step that people count in: 1, 2, 2.5, 5 times a power of ten, for about `count` of them. */
const roundStep = (span: number, count: number): number => {
  const raw = Math.max(1, span / count);
  const power = 10 ** Math.floor(Math.log10(raw));
  return Math.max(1, Math.round((steps.find((step) => step * power >= raw) ?? 10) * power));
};

/** A line that all of them stand on, in percent with a margin for the words, and round amounts along it. */
export const scaleOf = (cents: readonly number[]): Scale => {
  const least = Math.min(...cents);
  const most = Math.max(...cents);
  const span = Math.max(most - least, most / 10, 100);
  const step = roundStep(span, 4);
  const first = Math.ceil(least / step) * step;
  const ticks = Array.from({ length: Math.floor((least + span - first) / step) + 1 }, (_, at) => first + at * step);
  return { x: (price) => 6 + (88 * (price - least)) / span, ticks };
};

/** Dots on a line, piled up where they would cover each other. `widthPercent` is how much of the line one takes. */
export const stackDots = (xs: readonly number[], widthPercent: number): Dot[] => {
  const placed: Dot[] = [];
  for (const x of xs) {
    const beside = placed.filter((dot) => Math.abs(dot.x - x) < widthPercent).map(({ up }) => up);
    let up = 0;
    while (beside.includes(up)) up += 1;
    placed.push({ x, up });
  }
  return placed;
};

/** The interface leaves open what the offers of others look like; what is known is read here. */
const offer = z.looseObject({
  title: z.string().default(''),
  priceCents: z.int().nonnegative(),
  currency: z.string().nullish(),
  condition: z.string().nullish(),
});
const shape = z.looseObject({
  currency: z.string().nullish(),
  suggestedPriceCents: z.int().nullish(),
  comps: z.array(offer).default([]),
});
export type Offer = z.infer<typeof offer>;
/** What others ask for similar items, cheapest first, and what the service makes of it. */
export type Comps = { currency: string | null; suggestedCents: number | null; offers: readonly Offer[] };

/** What is looked for; fixed when it was asked, whatever is edited meanwhile. */
export type CompsOf = { q: string; categoryId: string | undefined; marketplaceId: string | undefined };

const most = 60;

/** What a listing is compared with. */
export const compsOf = ({ title, categoryId, marketplaceId }: Listing): CompsOf => ({
  q: title ?? '',
  categoryId: categoryId ?? undefined,
  marketplaceId: marketplaceId ?? undefined,
});

/** Read once when it is asked for, never by itself: the marketplace counts these. */
export const compsQuery = (of: CompsOf) => ({
  queryKey: ['comps', of],
  queryFn: () => read('searchComps', { query: { ...of, limit: most } }),
});

/** An answer as offers of one currency, cheapest first. */
export const compsIn = (answer: unknown): Comps => {
  const { currency, suggestedPriceCents, comps } = shape.parse(answer);
  // Prices in another currency cannot stand on the same line.
  const offers = comps.filter((one) => (one.currency ?? currency) === currency);
  return {
    currency: currency ?? null,
    suggestedCents: suggestedPriceCents || null,
    offers: offers.sort((a, b) => a.priceCents - b.priceCents),
  };
};

/** What others ask for similar items; null asks for nothing. */
export const useComps = (of: CompsOf | null) =>
  useQuery({
    queryKey: ['comps', of],
    queryFn: of === null ? skipToken : compsQuery(of).queryFn,
    select: compsIn,
  });

/** The price that half of the offers are below; they come cheapest first. Null when there is none. */
export const medianOf = (offers: readonly Offer[]): number | null => {
  const low = offers[(offers.length - 1) >> 1];
  const high = offers[offers.length >> 1];
  return low && high ? Math.round((low.priceCents + high.priceCents) / 2) : null;
};
