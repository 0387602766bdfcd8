import * as z from 'zod';
import { Problem } from '../../../core/base/problem.ts';
import { omitUndefinedFields, readServiceAnswer } from '../serviceCalls.ts';
import { toServiceCode, marketplaceId, nextStep, untrusted, ageS, cents, currency } from '../fields.ts';
import { hints, defineTool } from '../tool.ts';

const categories = z.looseObject({
  categories: z.array(z.looseObject({ categoryId: z.string(), categoryName: z.string() })).default([]),
});
const conditions = z.looseObject({
  conditions: z.array(z.looseObject({ condition: z.string(), name: z.string().nullish() })).default([]),
});

export const findCategory = defineTool({
  name: 'find_category',
  title: 'Find a category and its conditions',
  description:
    'With query: search the categories of a site. With categoryId: list the conditions that it accepts. Not for a listing whose category fits.',
  input: z.object({
    query: z.string().min(1).max(200).optional(),
    categoryId: z.string().min(1).max(100).optional(),
    marketplaceId,
  }),
  output: z.object({
    categories: z.array(z.object({ categoryId: z.string().nullable(), untrustedName: untrusted })),
    conditions: z.array(z.object({ condition: z.string().nullable(), untrustedName: untrusted.nullable() })),
    nextStep,
  }),
  decides: ['categories', 'conditions', 'nextStep'],
  hints: hints.reads,
  run: async ({ query, categoryId, marketplaceId: site }, context) => {
    if (query === undefined && categoryId === undefined)
      throw new Problem('INVALID_REQUEST', 'Name words to search for, or a category.', { field: 'query' });
    const found =
      query === undefined
        ? []
        : categories.parse(
            (
              await readServiceAnswer(context, 'searchCategories', {
                query: omitUndefinedFields({ q: query, marketplaceId: site, limit: 20 }),
              })
            ).body,
          ).categories;
    const accepted =
      categoryId === undefined
        ? []
        : conditions.parse(
            (
              await readServiceAnswer(context, 'listCategoryConditions', {
                query: omitUndefinedFields({ categoryId, marketplaceId: site }),
              })
            ).body,
          ).conditions;
    return {
      categories: found.map((one) => ({ categoryId: toServiceCode(one.categoryId), untrustedName: one.categoryName })),
      conditions: accepted.map((one) => ({ condition: toServiceCode(one.condition), untrustedName: one.name ?? null })),
      nextStep:
        categoryId === undefined
          ? 'Call again with a categoryId to see its conditions, or save it with edit_listing.'
          : 'Let the person choose a condition, then save it with edit_listing.',
    };
  },
  summarize: ({ categories: found, conditions: accepted }) =>
    `${found.length} categories and ${accepted.length} conditions.`,
});

const comparable = z.looseObject({
  title: z.string().nullish(),
  priceCents: z.int().nullish(),
  currency: z.string().nullish(),
  condition: z.string().nullish(),
});
/** The interface does not define this answer, so only the known fields are declared. */
const comps = z.looseObject({
  currency: z.string().nullish(),
  suggestedPriceCents: z.int().nullish(),
  comps: z.array(comparable).default([]),
});

export const findComparablePrices = defineTool({
  name: 'find_comparable_prices',
  title: 'Find comparable prices',
  description:
    'Read what others ask now for similar items: asking prices, not what was paid. Once an item, never in a loop: it draws on a daily budget.',
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
  decides: ['comparables', 'nextStep'],
  hints: hints.reads,
  run: async ({ query, categoryId, marketplaceId: site, limit }, context) => {
    const { body, ageS: age } = await readServiceAnswer(context, 'searchComps', {
      query: omitUndefinedFields({ q: query, categoryId, marketplaceId: site, limit }),
    });
    const found = comps.parse(body);
    return {
      suggestedPriceCents: found.suggestedPriceCents ?? null,
      currency: toServiceCode(found.currency),
      comparables: found.comps.slice(0, limit).map((one) => ({
        untrustedTitle: one.title ?? null,
        priceCents: one.priceCents ?? null,
        currency: toServiceCode(one.currency ?? found.currency),
        condition: toServiceCode(one.condition),
      })),
      ageS: age,
      nextStep: 'Say that these are asking prices, and let the person choose the price.',
    };
  },
  summarize: ({ comparables }) => `${comparables.length} asking prices of similar items.`,
});
