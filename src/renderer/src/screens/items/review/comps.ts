import * as z from 'zod';
import { skipToken, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/perform.ts';

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

/** Read once when it is asked for, never by itself: the marketplace counts these. */
export const useComps = (of: CompsOf | null) =>
  useQuery({
    queryKey: ['comps', of],
    queryFn: of === null ? skipToken : () => read('searchComps', { query: { ...of, limit: most } }),
    select: (answer): Comps => {
      const { currency, suggestedPriceCents, comps } = shape.parse(answer);
      // Prices in another currency cannot stand on the same line.
      const offers = comps.filter((one) => (one.currency ?? currency) === currency);
      return {
        currency: currency ?? null,
        suggestedCents: suggestedPriceCents || null,
        offers: offers.sort((a, b) => a.priceCents - b.priceCents),
      };
    },
  });

/** The price that half of the offers are below; they come cheapest first. Null when there is none. */
export const middleOf = (offers: readonly Offer[]): number | null => {
  const low = offers[(offers.length - 1) >> 1];
  const high = offers[offers.length >> 1];
  return low && high ? Math.round((low.priceCents + high.priceCents) / 2) : null;
};
