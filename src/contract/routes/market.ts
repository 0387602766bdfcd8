import * as z from 'zod';
import { id, openObject, policyChoice, siteId } from '../fields.ts';
import { offerLimits, publishAnswer, revision } from '../resources.ts';
import { declareRoutes } from '../route.ts';

const one = z.object({ listingId: id });
const template = z.object({ templateId: id });
const ofSite = z.looseObject({ marketplaceId: siteId.nullish() });
const search = z.looseObject({
  q: z.string().optional(),
  categoryId: z.string().optional(),
  marketplaceId: siteId.optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

export const marketRoutes = declareRoutes('Marketplace account, publishing and catalogue', {
  readMarketAuthUrl: {
    method: 'GET',
    path: '/market/auth-url',
    summary:
      'Get a sign-in page for the person to connect the marketplace; lasts 10 minutes, a new one cancels the old.',
    access: 'agent',
    answer: () => z.looseObject({ authUrl: z.string() }),
    personPage: { address: 'authUrl', visible: ['expiresIn', 'expiresAt'] },
  },
  disconnectMarket: {
    method: 'POST',
    path: '/market/disconnect',
    summary: 'Disconnect the marketplace account.',
    access: 'agent',
    askFirst: true,
    body: () => openObject.prefault({}),
    namesPersonPages: true,
  },
  readMarketStatus: {
    method: 'GET',
    path: '/market/status',
    summary: 'Read whether the marketplace is connected and ready to publish, and what is missing.',
    access: 'agent',
    answer: () =>
      z.looseObject({
        connected: z.boolean(),
        ready: z.boolean().nullish(),
        missing: z.array(z.unknown()).nullish(),
        marketplaceId: z.string().nullish(),
      }),
    namesPersonPages: true,
  },
  acknowledgeReadiness: {
    method: 'POST',
    path: '/market/readiness/ack',
    summary: 'Acknowledge what the marketplace asks of the seller.',
    access: 'agent',
    askFirst: true,
    body: () => openObject.prefault({}),
    namesPersonPages: true,
  },
  listMarketAccounts: {
    method: 'GET',
    path: '/market/accounts',
    summary: 'List the connected marketplace accounts.',
    access: 'agent',
    namesPersonPages: true,
  },
  readRateLimits: {
    method: 'GET',
    path: '/market/rate-limits',
    summary: 'Read what is left of some daily budgets.',
    access: 'agent',
  },
  publishListing: {
    method: 'POST',
    path: '/market/publish/{listingId}',
    summary: 'Publish a reviewed listing; it goes live at once and the marketplace charges its fees.',
    access: 'agent',
    askFirst: true,
    cost: 'market_fees',
    params: () => one,
    body: () =>
      z
        .looseObject({
          ...policyChoice,
          fix: z.boolean().optional(),
          autoDelistOnSale: z.boolean().optional(),
        })
        .prefault({}),
    bodyFields: [
      'marketAccountId',
      'fulfillmentPolicyId',
      'paymentPolicyId',
      'returnPolicyId',
      'fix',
      'autoDelistOnSale',
    ],
    answer: () => publishAnswer,
  },
  reviseListing: {
    method: 'POST',
    path: '/market/revise/{listingId}',
    summary: 'Push changed fields to a live listing.',
    access: 'agent',
    askFirst: true,
    quota: 'trading',
    params: () => one,
    body: () => revision,
    bodyFields: ['title', 'description', 'price', 'quantity', 'sku', 'bestOffer'],
  },
  endListing: {
    method: 'POST',
    path: '/market/end/{listingId}',
    summary: 'End a live listing; it cannot be undone.',
    access: 'agent',
    askFirst: true,
    reversible: false,
    quota: 'trading',
    params: () => one,
    body: () => openObject.prefault({}),
  },
  hydrateListing: {
    method: 'POST',
    path: '/market/hydrate/{listingId}',
    summary: 'Refresh the details of a live listing from the marketplace.',
    access: 'agent',
    quota: 'trading',
    repeatable: true,
    params: () => one,
    body: () => openObject.prefault({}),
  },
  listPolicies: {
    method: 'GET',
    path: '/market/policies',
    summary: 'List the shipping, payment and return policies.',
    access: 'agent',
    quota: 'account',
    query: () => z.looseObject({ marketplaceId: siteId.optional() }),
  },
  bootstrapPolicies: {
    method: 'POST',
    path: '/market/policies/bootstrap',
    summary: "Create starter policies on the person's marketplace account.",
    access: 'agent',
    askFirst: true,
    quota: 'account',
    body: () => z.looseObject({ marketplaceId: siteId.optional() }).prefault({}),
  },
  readSellerDefaults: {
    method: 'GET',
    path: '/market/seller-defaults',
    summary: 'Read the default location, shipping, returns and site.',
    access: 'agent',
  },
  updateSellerDefaults: {
    method: 'POST',
    path: '/market/seller-defaults',
    summary: 'Save default location, shipping, returns, site, format and Best Offer limits.',
    access: 'agent',
    askFirst: true,
    body: () => ofSite.extend({ bestOffer: offerLimits.nullish() }).prefault({}),
  },
  searchCategories: {
    method: 'GET',
    path: '/market/categories',
    summary: 'Search the categories of a site.',
    access: 'agent',
    quota: 'taxonomy',
    query: () => search,
    answer: () =>
      z.looseObject({
        categories: z.array(z.looseObject({ categoryId: z.string(), categoryName: z.string() })).default([]),
      }),
  },
  listCategoryConditions: {
    method: 'GET',
    path: '/market/category-conditions',
    summary: 'List the conditions that a category accepts.',
    access: 'agent',
    quota: 'taxonomy',
    query: () => search,
    answer: () =>
      z.looseObject({
        conditions: z.array(z.looseObject({ condition: z.string(), name: z.string().nullish() })).default([]),
      }),
  },
  searchComps: {
    method: 'GET',
    path: '/market/comps',
    summary: 'Read active asking prices of similar items; they are not sale prices.',
    access: 'agent',
    quota: 'browse',
    query: () => search,
  },
  listTemplates: {
    method: 'GET',
    path: '/market/templates/list',
    summary: "List the person's templates.",
    access: 'agent',
  },
  createTemplate: {
    method: 'POST',
    path: '/market/templates/create',
    summary: 'Save a new template.',
    access: 'agent',
    askFirst: true,
    body: () => ofSite,
  },
  validateTemplate: {
    method: 'POST',
    path: '/market/templates/validate',
    summary: 'Check a template without saving it.',
    access: 'agent',
    quota: 'trading',
    repeatable: true,
    body: () => ofSite,
  },
  updateTemplate: {
    method: 'PUT',
    path: '/market/templates/{templateId}',
    summary: 'Change a template.',
    access: 'agent',
    askFirst: true,
    params: () => template,
    body: () => ofSite,
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/market/templates/{templateId}',
    summary: 'Delete a template; it cannot be undone.',
    access: 'agent',
    askFirst: true,
    reversible: false,
    params: () => template,
  },
});
