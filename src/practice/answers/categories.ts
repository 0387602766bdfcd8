import { refuse } from '../refusal.ts';
import { comparables, suggestPrice } from '../market/comps.ts';
import { siteOf, type Site } from '../market/sites.ts';
import {
  categories,
  categoryName,
  categoryOf,
  categoryPath,
  conditionsOf,
  everythingElseId,
  searchCategories,
  specificName,
  type Category,
} from '../market/taxonomy.ts';
import type { Person } from '../world/people.ts';
import type { Answers } from './answer.ts';

const siteFor = (person: Person, marketplaceId: string | undefined): Site =>
  siteOf(marketplaceId ?? person.homeSite) ??
  refuse(400, `${marketplaceId ?? person.homeSite} is not one of the supported sites.`);

const toApiCategory = (category: Category, language: string) => ({
  categoryId: category.id,
  categoryName: categoryName(category, language),
  path: categoryPath(category, language),
  requiredSpecifics: category.required.map((key) => specificName(key, language)),
  recommendedSpecifics: category.recommended.map((key) => specificName(key, language)),
});

const knownCategory = (categoryId: string): Category =>
  categoryOf(categoryId) ?? refuse(404, `There is no category ${categoryId}.`);

/** What the catalogue knows: categories, their conditions, and what others ask. */
export const categoryAnswers: Answers<'searchCategories' | 'listCategoryConditions' | 'searchComps'> = {
  searchCategories: ({ person, input }) => {
    const { q, categoryId, marketplaceId, limit = 50 } = input.query;
    const { language, id } = siteFor(person, marketplaceId);
    const found =
      categoryId !== undefined
        ? [knownCategory(categoryId)]
        : q === undefined || q.trim() === ''
          ? [...categories]
          : searchCategories(q, language);
    return {
      body: { marketplaceId: id, categories: found.slice(0, limit).map((one) => toApiCategory(one, language)) },
    };
  },

  listCategoryConditions: ({ person, input }) => {
    const { categoryId, marketplaceId } = input.query;
    if (categoryId === undefined) return refuse(400, 'categoryId: Name the category.');
    const { language } = siteFor(person, marketplaceId);
    return { body: { categoryId, conditions: conditionsOf(knownCategory(categoryId), language) } };
  },

  searchComps: ({ person, input }) => {
    const { q = '', categoryId = everythingElseId, marketplaceId, limit = 20 } = input.query;
    const site = siteFor(person, marketplaceId);
    const comps = comparables({ site: site.id, categoryId: knownCategory(categoryId).id, words: q });
    return {
      body: {
        marketplaceId: site.id,
        currency: site.currency,
        suggestedPriceCents: suggestPrice(comps),
        comps: comps.slice(0, limit),
      },
    };
  },
};
