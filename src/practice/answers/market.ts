import { refuse, parseOpen } from '../refusal.ts';
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
import type { Answers, RouteNameOf } from './answer.ts';
import { atomically, run } from '../database.ts';
import {
  policiesOf,
  bootstrapPolicies,
  toApiPolicy,
  disconnectMarket,
  missingForPublishing,
  saveSellerDefaults,
} from '../world/marketAccount.ts';
import {
  updateTemplate,
  requireOwnTemplate,
  deleteTemplate,
  saveTemplate,
  toApiTemplate,
  templateFacts,
  templatesOf,
  type TemplateFacts,
} from '../world/templates.ts';
import type { World } from '../world/world.ts';
import * as z from 'zod';
import { policyFields, policyKinds, siteId } from '../../contract/index.ts';
import { isoOrNull } from '../clock.ts';
import { budgetsOf } from '../world/budgets.ts';
import { createLink } from '../world/links.ts';
import { readApiListing, pageUrl } from '../world/listings/apiListing.ts';
import { requireOwnListing, requireState } from '../world/listings/listings.ts';
import { endListing, reviseListing } from '../world/listings/changes.ts';
import { publishListing } from '../world/listings/publish.ts';

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

/** The routes of the catalogue: categories, their conditions and comparable prices. */
const categoryAnswers: Answers<'searchCategories' | 'listCategoryConditions' | 'searchComps'> = {
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

type Problem = { field: string; message: string };

/** Returns the problems of a template whose schema is valid. */
const problemsOf = (world: World, person: Person, facts: TemplateFacts): Problem[] => {
  const site = facts.marketplaceId;
  const policies = policiesOf(world, person.userId);
  const siteProblem =
    site !== undefined && !siteOf(site)
      ? [{ field: 'marketplaceId', message: `${site} is not one of the supported sites.` }]
      : [];
  const policyProblems = policyKinds.flatMap((kind) => {
    const field = policyFields[kind];
    const asked = facts[field];
    if (asked === undefined) return [];
    const found = policies.find((policy) => policy.policyId === asked && policy.kind === kind);
    if (!found) return [{ field, message: `The marketplace account has no ${kind} policy ${asked}.` }];
    if (site === undefined || found.marketplaceId === site) return [];
    return [{ field, message: `"${found.name}" is a policy of ${found.marketplaceId}, not of ${site}.` }];
  });
  return [...siteProblem, ...policyProblems];
};

const requireRight = (world: World, person: Person, facts: TemplateFacts): void => {
  const [wrong] = problemsOf(world, person, facts);
  if (wrong) refuse(400, `${wrong.field}: ${wrong.message}`);
};

const templateAnswers: Answers<
  'listTemplates' | 'createTemplate' | 'validateTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  listTemplates: ({ world, person }) => ({
    body: { templates: templatesOf(world, person).map(toApiTemplate), rememberedTemplateId: person.templateId },
  }),

  createTemplate: ({ world, person, input }) => {
    const facts = parseOpen(templateFacts, input.body);
    requireRight(world, person, facts);
    return { body: toApiTemplate(saveTemplate(world, person, facts)) };
  },

  validateTemplate: ({ world, person, input }) => {
    const parsed = templateFacts.safeParse(input.body);
    const problems = parsed.success
      ? problemsOf(world, person, parsed.data)
      : parsed.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.') || 'body', message }));
    return { body: { valid: problems.length === 0, problems } };
  },

  updateTemplate: ({ world, person, input }) =>
    atomically(world.db, () => {
      const { facts, templateId } = requireOwnTemplate(world, person, input.params.templateId);
      // Null removes a field.
      const kept = Object.entries({ ...facts, ...input.body }).filter(([, value]) => value !== null);
      const changed = parseOpen(templateFacts, Object.fromEntries(kept));
      requireRight(world, person, changed);
      return { body: toApiTemplate(updateTemplate(world, person, templateId, changed)) };
    }),

  deleteTemplate: ({ world, person, input }) =>
    atomically(world.db, () => {
      const { templateId } = requireOwnTemplate(world, person, input.params.templateId);
      deleteTemplate(world, person, templateId);
      return { body: { templateId, deleted: true } };
    }),
};

const bootstrap = z.looseObject({
  marketplaceId: siteId.optional(),
  postage: z.enum(['flat', 'calculated']).default('flat'),
});

export const marketAnswers: Answers<RouteNameOf<'Marketplace account, publishing and catalogue'>> = {
  ...categoryAnswers,
  ...templateAnswers,

  readMarketAuthUrl: ({ world, person }) => ({
    body: { authUrl: atomically(world.db, () => createLink(world, person.userId, 'market', {})) },
  }),

  disconnectMarket: ({ world, person }) => {
    disconnectMarket(world, person.userId);
    return { body: { connected: false } };
  },

  readMarketStatus: ({ world, person }) => {
    const missing = missingForPublishing(world, person, person.homeSite);
    return {
      body: {
        connected: person.connectedAt !== null,
        ready: missing.length === 0,
        missing,
        marketplaceId: person.homeSite,
        account: person.connectedAt === null ? null : { marketAccountId: person.accountId, name: person.accountName },
        acknowledgedAt: isoOrNull(person.acknowledgedAt),
        feeNotice: { confirmedSites: person.confirmedSites },
      },
    };
  },

  acknowledgeReadiness: ({ world, person }) => {
    const now = world.clock.now();
    run(world.db, 'UPDATE people SET acknowledgedAt = ? WHERE userId = ?', now, person.userId);
    return { body: { acknowledgedAt: isoOrNull(now) } };
  },

  listMarketAccounts: ({ person }) => ({
    body: {
      accounts:
        person.connectedAt === null
          ? []
          : [
              {
                marketAccountId: person.accountId,
                name: person.accountName,
                marketplaceId: person.homeSite,
                connectedAt: isoOrNull(person.connectedAt),
              },
            ],
    },
  }),

  readRateLimits: ({ world, person }) => ({ body: { budgets: budgetsOf(world, person.userId) } }),

  publishListing: ({ world, person, input }) => {
    const marketListingId = publishListing(world, person, input.params.listingId, input.body);
    return { body: { success: true, marketListingId, marketListingUrl: pageUrl(world, marketListingId) } };
  },

  reviseListing: ({ world, person, input }) => {
    reviseListing(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  endListing: ({ world, person, input }) => {
    endListing(world, person, input.params.listingId);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  hydrateListing: ({ world, person, input }) => {
    const listing = requireOwnListing(world, person, input.params.listingId);
    requireState(listing, ['published', 'ended', 'sold'], 'refreshed from the marketplace');
    return { body: { listing: readApiListing(world, listing.listingId) } };
  },

  listPolicies: ({ world, person, input }) => {
    const { marketplaceId } = input.query;
    if (marketplaceId !== undefined && !siteOf(marketplaceId))
      refuse(400, `${marketplaceId} is not one of the supported sites.`);
    return { body: { policies: policiesOf(world, person.userId, marketplaceId ?? null).map(toApiPolicy) } };
  },

  bootstrapPolicies: ({ world, person, input }) => {
    const { marketplaceId = person.homeSite, postage } = parseOpen(bootstrap, input.body);
    if (person.connectedAt === null)
      refuse(400, 'The marketplace is not connected. Connect it with a new link.', 'MARKET_TOKEN_EXPIRED');
    if (!siteOf(marketplaceId)) refuse(400, `${marketplaceId} is not one of the supported sites.`);
    atomically(world.db, () => bootstrapPolicies(world, person, marketplaceId, postage));
    return { body: { policies: policiesOf(world, person.userId, marketplaceId).map(toApiPolicy) } };
  },

  readSellerDefaults: ({ person }) => ({ body: { marketplaceId: person.homeSite, ...person.sellerDefaults } }),

  updateSellerDefaults: ({ world, person, input }) => ({ body: saveSellerDefaults(world, person, input.body) }),
};
