import type { RouteNameOf, Answers } from './answer.ts';
import { readApiListing, toApiListing, listListings } from '../world/listings/apiListing.ts';
import { editListing, relistListing, deleteListing, revertListing, setVisibility } from '../world/listings/changes.ts';
import { createDraft } from '../world/listings/drafts.ts';
import { confirmFeeNotice } from '../world/marketAccount.ts';
import { generateListing } from '../world/listings/generation.ts';
import { requireOwnListing } from '../world/listings/listings.ts';
import { removeFiles, requestUploads } from '../world/listings/photos.ts';
import {
  channelsOf,
  channelStates,
  deleteFromChannels,
  endOnChannels,
  publishOnChannels,
  requireLiveNowhereElse,
  reviseOnChannels,
} from '../world/listings/channels.ts';
import { quotePublish } from '../world/listings/publish.ts';
import { requirePerson } from '../world/people.ts';

export const listingAnswers: Answers<RouteNameOf<'Listings'>> = {
  listChannels: () => ({ body: { channels: channelsOf() } }),

  listListings: ({ world, person, input }) => ({ body: listListings(world, person, input.query) }),

  createListing: ({ world, person, input }) => {
    const made = createDraft(world, person, input.body, input.headers['idempotency-key']);
    const body = readApiListing(world, made.listingId);
    return made.replayed ? { status: 200, headers: { 'idempotent-replayed': 'true' }, body } : { body };
  },

  requestUploads: ({ world, person, input }) => ({
    body: requestUploads(world, person, input.body.listingId, input.body.files),
  }),

  readListing: ({ world, person, input }) => ({
    body: toApiListing(world, requireOwnListing(world, person, input.params.listingId)),
  }),

  updateListing: ({ world, person, input }) => {
    editListing(world, person, input.params.listingId, input.body);
    return { body: readApiListing(world, input.params.listingId) };
  },

  deleteListing: async ({ world, person, input }) => {
    const { listingId } = input.params;
    await removeFiles(world, deleteListing(world, person, listingId));
    return { body: { listingId, deleted: true } };
  },

  generateListing: async ({ world, person, key, input }) => {
    await generateListing(world, { person, key }, input.params.listingId, input.body);
    return { body: readApiListing(world, input.params.listingId) };
  },

  relistListing: ({ world, person, input }) => {
    const { listingId } = requireOwnListing(world, person, input.params.listingId);
    requireLiveNowhereElse(world, listingId);
    relistListing(world, person, listingId);
    return { body: readApiListing(world, input.params.listingId) };
  },

  setListingVisibility: ({ world, person, input }) => {
    setVisibility(world, person, input.params.listingId, input.body.visible ?? true);
    return { body: readApiListing(world, input.params.listingId) };
  },

  revertListing: ({ world, person, input }) => {
    revertListing(world, person, input.params.listingId);
    return { body: readApiListing(world, input.params.listingId) };
  },

  readListingChannels: ({ world, person, input }) => ({
    body: { channels: channelStates(world, requireOwnListing(world, person, input.params.listingId)) },
  }),

  publishChannels: ({ world, person, input }) => ({
    body: publishOnChannels(world, person, input.params.listingId, input.body),
  }),

  reviseChannels: ({ world, person, input }) => {
    reviseOnChannels(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  endChannels: ({ world, person, input }) => {
    endOnChannels(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  deleteFromChannels: ({ world, person, input }) => {
    deleteFromChannels(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  quoteFees: ({ world, person, input }) => {
    const listing = requireOwnListing(world, person, input.params.listingId);
    const { action, marketplaceId = listing.marketplaceId } = input.body;
    if (action === 'confirm')
      return {
        body: { feeNotice: { confirmedSites: confirmFeeNotice(world, person, listing.listingId, marketplaceId) } },
      };
    const quote = quotePublish(world, person, listing, input.body);
    return {
      body: {
        quote: { ...quote, marketplaceId: listing.marketplaceId },
        feeNotice: { confirmedSites: requirePerson(world, person.userId).confirmedSites },
      },
    };
  },
};
