import { refuseCall, parseOpenBody } from '../refusal.ts';
import { generateComparableOffers, suggestMedianPrice } from '../market/comps.ts';
import { findSiteById, type Site } from '../market/sites.ts';
import {
  categories,
  getCategoryName,
  findCategoryById,
  buildCategoryPath,
  listAcceptedConditions,
  everythingElseId,
  searchCategoriesByWords,
  getSpecificName,
  type Category,
} from '../market/taxonomy.ts';
import type { Person } from '../world/people.ts';
import type { Answers, RouteNameOf } from './answer.ts';
import { runInTransaction, runStatement } from '../database.ts';
import {
  listPersonPolicies,
  createMissingPolicies,
  toApiPolicy,
  disconnectMarketAccount,
  listMissingRequirements,
  saveSellerDefaults,
} from '../world/marketAccount.ts';
import {
  replaceTemplateFacts,
  requireOwnTemplate,
  deleteListingTemplate,
  insertListingTemplate,
  toApiTemplate,
  templateFacts,
  listPersonTemplates,
  type TemplateFacts,
} from '../world/templates.ts';
import type { World } from '../world/world.ts';
import * as z from 'zod';
import { policyFields, policyKinds, siteId } from '../../contract/index.ts';
import { formatIsoTimeOrNull } from '../clock.ts';
import { listRemainingBudgets } from '../world/budgets.ts';
import { createPersonLink } from '../world/links.ts';
import { readApiListing, formatLivePageUrl } from '../world/listings/apiListing.ts';
import { requireOwnListing, requireListingState } from '../world/listings/listings.ts';
import { endMarketListing, reviseMarketListing } from '../world/listings/changes.ts';
import { publishOnMarket } from '../world/listings/publish.ts';

const requireSupportedSite = (person: Person, marketplaceId: string | undefined): Site =>
  findSiteById(marketplaceId ?? person.homeSite) ??
  refuseCall(400, `${marketplaceId ?? person.homeSite} is not one of the supported sites.`);

const toApiCategory = (category: Category, language: string) => ({
  categoryId: category.id,
  categoryName: getCategoryName(category, language),
  path: buildCategoryPath(category, language),
  requiredSpecifics: category.required.map((key) => getSpecificName(key, language)),
  recommendedSpecifics: category.recommended.map((key) => getSpecificName(key, language)),
});

const requireKnownCategory = (categoryId: string): Category =>
  findCategoryById(categoryId) ?? refuseCall(404, `There is no category ${categoryId}.`);

const categoryAnswers: Answers<'searchCategories' | 'listCategoryConditions' | 'searchComps'> = {
  searchCategories: ({ person, input }) => {
    const { q, categoryId, marketplaceId, limit = 50 } = input.query;
    const { language, id } = requireSupportedSite(person, marketplaceId);
    const found =
      categoryId !== undefined
        ? [requireKnownCategory(categoryId)]
        : q === undefined || q.trim() === ''
          ? [...categories]
          : searchCategoriesByWords(q, language);
    return {
      body: {
        marketplaceId: id,
        categories: found.slice(0, limit).map((category) => toApiCategory(category, language)),
      },
    };
  },

  listCategoryConditions: ({ person, input }) => {
    const { categoryId, marketplaceId } = input.query;
    if (categoryId === undefined) return refuseCall(400, 'categoryId: Name the category.');
    const { language } = requireSupportedSite(person, marketplaceId);
    return { body: { categoryId, conditions: listAcceptedConditions(requireKnownCategory(categoryId), language) } };
  },

  searchComps: ({ person, input }) => {
    const { q = '', categoryId = everythingElseId, marketplaceId, limit = 20 } = input.query;
    const site = requireSupportedSite(person, marketplaceId);
    const comps = generateComparableOffers({
      site: site.id,
      categoryId: requireKnownCategory(categoryId).id,
      words: q,
    });
    return {
      body: {
        marketplaceId: site.id,
        currency: site.currency,
        suggestedPriceCents: suggestMedianPrice(comps),
        comps: comps.slice(0, limit),
      },
    };
  },
};

type TemplateProblem = { field: string; message: string };

const listTemplateProblems = (world: World, person: Person, facts: TemplateFacts): TemplateProblem[] => {
  const site = facts.marketplaceId;
  const policies = listPersonPolicies(world, person.userId);
  const siteProblem =
    site !== undefined && !findSiteById(site)
      ? [{ field: 'marketplaceId', message: `${site} is not one of the supported sites.` }]
      : [];
  const policyProblems = policyKinds.flatMap((kind) => {
    const field = policyFields[kind];
    const requestedId = facts[field];
    if (requestedId === undefined) return [];
    const found = policies.find((policy) => policy.policyId === requestedId && policy.kind === kind);
    if (!found) return [{ field, message: `The marketplace account has no ${kind} policy ${requestedId}.` }];
    if (site === undefined || found.marketplaceId === site) return [];
    return [{ field, message: `"${found.name}" is a policy of ${found.marketplaceId}, not of ${site}.` }];
  });
  return [...siteProblem, ...policyProblems];
};

const requireValidTemplate = (world: World, person: Person, facts: TemplateFacts): void => {
  const [wrong] = listTemplateProblems(world, person, facts);
  if (wrong) refuseCall(400, `${wrong.field}: ${wrong.message}`);
};

const templateAnswers: Answers<
  'listTemplates' | 'createTemplate' | 'validateTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  listTemplates: ({ world, person }) => ({
    body: { templates: listPersonTemplates(world, person).map(toApiTemplate), rememberedTemplateId: person.templateId },
  }),

  createTemplate: ({ world, person, input }) => {
    const facts = parseOpenBody(templateFacts, input.body);
    requireValidTemplate(world, person, facts);
    return { body: toApiTemplate(insertListingTemplate(world, person, facts)) };
  },

  validateTemplate: ({ world, person, input }) => {
    const parsed = templateFacts.safeParse(input.body);
    const problems = parsed.success
      ? listTemplateProblems(world, person, parsed.data)
      : parsed.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.') || 'body', message }));
    return { body: { valid: problems.length === 0, problems } };
  },

  updateTemplate: ({ world, person, input }) =>
    runInTransaction(world.db, () => {
      const { facts, templateId } = requireOwnTemplate(world, person, input.params.templateId);
      const keptFields = Object.entries({ ...facts, ...input.body }).filter(([, value]) => value !== null);
      const changed = parseOpenBody(templateFacts, Object.fromEntries(keptFields));
      requireValidTemplate(world, person, changed);
      return { body: toApiTemplate(replaceTemplateFacts(world, person, templateId, changed)) };
    }),

  deleteTemplate: ({ world, person, input }) =>
    runInTransaction(world.db, () => {
      const { templateId } = requireOwnTemplate(world, person, input.params.templateId);
      deleteListingTemplate(world, person, templateId);
      return { body: { templateId, deleted: true } };
    }),
};

const bootstrapInput = z.looseObject({
  marketplaceId: siteId.optional(),
  postage: z.enum(['flat', 'calculated']).default('flat'),
});

export const marketAnswers: Answers<RouteNameOf<'Marketplace account, publishing and catalogue'>> = {
  ...categoryAnswers,
  ...templateAnswers,

  readMarketAuthUrl: ({ world, person }) => ({
    body: { authUrl: runInTransaction(world.db, () => createPersonLink(world, person.userId, 'market', {})) },
  }),

  disconnectMarket: ({ world, person }) => {
    disconnectMarketAccount(world, person.userId);
    return { body: { connected: false } };
  },

  readMarketStatus: ({ world, person }) => {
    const missing = listMissingRequirements(world, person, person.homeSite);
    return {
      body: {
        connected: person.connectedAt !== null,
        ready: missing.length === 0,
        missing,
        marketplaceId: person.homeSite,
        account: person.connectedAt === null ? null : { marketAccountId: person.accountId, name: person.accountName },
        acknowledgedAt: formatIsoTimeOrNull(person.acknowledgedAt),
        feeNotice: { confirmedSites: person.confirmedSites },
      },
    };
  },

  acknowledgeReadiness: ({ world, person }) => {
    const now = world.clock.now();
    runStatement(world.db, 'UPDATE people SET acknowledgedAt = ? WHERE userId = ?', now, person.userId);
    return { body: { acknowledgedAt: formatIsoTimeOrNull(now) } };
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
                connectedAt: formatIsoTimeOrNull(person.connectedAt),
              },
            ],
    },
  }),

  readRateLimits: ({ world, person }) => ({ body: { budgets: listRemainingBudgets(world, person.userId) } }),

  publishListing: ({ world, person, input }) => {
    const marketListingId = publishOnMarket(world, person, input.params.listingId, input.body);
    return { body: { success: true, marketListingId, marketListingUrl: formatLivePageUrl(world, marketListingId) } };
  },

  reviseListing: ({ world, person, input }) => {
    reviseMarketListing(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  endListing: ({ world, person, input }) => {
    endMarketListing(world, person, input.params.listingId);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  hydrateListing: ({ world, person, input }) => {
    const listing = requireOwnListing(world, person, input.params.listingId);
    requireListingState(listing, ['published', 'ended', 'sold'], 'refreshed from the marketplace');
    return { body: { listing: readApiListing(world, listing.listingId) } };
  },

  listPolicies: ({ world, person, input }) => {
    const { marketplaceId } = input.query;
    if (marketplaceId !== undefined && !findSiteById(marketplaceId))
      refuseCall(400, `${marketplaceId} is not one of the supported sites.`);
    return { body: { policies: listPersonPolicies(world, person.userId, marketplaceId ?? null).map(toApiPolicy) } };
  },

  bootstrapPolicies: ({ world, person, input }) => {
    const { marketplaceId = person.homeSite, postage } = parseOpenBody(bootstrapInput, input.body);
    if (person.connectedAt === null)
      refuseCall(400, 'The marketplace is not connected. Connect it with a new link.', 'MARKET_TOKEN_EXPIRED');
    if (!findSiteById(marketplaceId)) refuseCall(400, `${marketplaceId} is not one of the supported sites.`);
    runInTransaction(world.db, () => createMissingPolicies(world, person, marketplaceId, postage));
    return { body: { policies: listPersonPolicies(world, person.userId, marketplaceId).map(toApiPolicy) } };
  },

  readSellerDefaults: ({ person }) => ({ body: { marketplaceId: person.homeSite, ...person.sellerDefaults } }),

  updateSellerDefaults: ({ world, person, input }) => ({ body: saveSellerDefaults(world, person, input.body) }),
};
