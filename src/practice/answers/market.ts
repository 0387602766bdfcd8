import * as z from 'zod';
import { siteId } from '../../contract/index.ts';
import { isoOrNull } from '../clock.ts';
import { atomically, run } from '../database.ts';
import { parseOpen, refuse } from '../refusal.ts';
import { budgetsOf } from '../world/budgets.ts';
import { disconnectMarket, missingForPublishing, saveSellerDefaults } from '../world/marketAccount.ts';
import { createLink } from '../world/links.ts';
import { readApiListing, pageUrl } from '../world/listings/apiListing.ts';
import { requireOwnListing, requireState } from '../world/listings/listings.ts';
import { endListing, reviseListing } from '../world/listings/changes.ts';
import { bootstrapPolicies, policiesOf, toApiPolicy } from '../world/policies.ts';
import { publishListing } from '../world/listings/publish.ts';
import { siteOf } from '../market/sites.ts';
import { categoryAnswers } from './categories.ts';
import { templateAnswers } from './templates.ts';
import type { Answers, RouteNameOf } from './answer.ts';

const bootstrap = z.looseObject({
  marketplaceId: siteId.optional(),
  postage: z.enum(['flat', 'calculated']).default('flat'),
});

/** What the routes of the group "Marketplace account, publishing and catalogue" do. */
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
