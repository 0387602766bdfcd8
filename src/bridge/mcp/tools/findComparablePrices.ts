import * as z from 'zod';
import { withoutUndefined } from '../asking.ts';
import { readService } from '../bodyOf.ts';
import { ageS, cents, asCode, currency, marketplaceId, nextStep, untrusted } from '../fields.ts';
import { hints, tool } from '../tool.ts';

const comparable = z.looseObject({
  title: z.string().nullish(),
  priceCents: z.int().nullish(),
  currency: z.string().nullish(),
  condition: z.string().nullish(),
});
/** The interface leaves the answer open; these are the fields that are known. */
const comps = z.looseObject({
  currency: z.string().nullish(),
  suggestedPriceCents: z.int().nullish(),
  comps: z.array(comparable).default([]),
});

export const findComparablePrices = tool({
  name: 'find_comparable_prices',
  title: 'Find comparable prices',
  description:
    'Read what others ask now for similar items. These are asking prices, not what was paid. Draws on a daily budget: once an item, never in a loop.',
  input: z.object({
    query: z.string().min(1).max(200),
    categoryId: z.string().min(1).max(100).optional(),
    marketplaceId,
    limit: z.int().min(1).max(50).default(10),
  }),
  output: z.object({
    suggestedPriceCents: cents.nullable(),
    currency,
    comparables: z.array(
      z.object({
        untrustedTitle: untrusted.nullable(),
        priceCents: cents.nullable(),
        currency,
        condition: z.string().nullable(),
      }),
    ),
    ageS,
    nextStep,
  }),
  hints: hints.reads,
  run: async ({ query, categoryId, marketplaceId: site, limit }, context) => {
    const { body, ageS: age } = await readService(context, 'searchComps', {
      query: withoutUndefined({ q: query, categoryId, marketplaceId: site, limit }),
    });
    const found = comps.parse(body);
    return {
      suggestedPriceCents: found.suggestedPriceCents ?? null,
      currency: asCode(found.currency),
      comparables: found.comps.slice(0, limit).map((one) => ({
        untrustedTitle: one.title ?? null,
        priceCents: one.priceCents ?? null,
        currency: asCode(one.currency ?? found.currency),
        condition: asCode(one.condition),
      })),
      ageS: age,
      nextStep: 'Say that these are asking prices, and let the person choose the price.',
    };
  },
  summarize: ({ comparables }) => `${comparables.length} asking prices of similar items.`,
});
