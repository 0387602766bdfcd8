import type { RouteNameOf, Answers } from './answer.ts';
import { readApiListing, toApiListing, listPersonListings } from '../world/listings/apiListing.ts';
import {
  editUnlistedListing,
  relistEndedListing,
  deleteUnpublishedListing,
  revertFailedListing,
  setListingVisibility,
} from '../world/listings/changes.ts';
import { createListingDraft } from '../world/listings/drafts.ts';
import { confirmFeeNotice } from '../world/marketAccount.ts';
import { startListingGeneration } from '../world/listings/generation.ts';
import { requireOwnListing } from '../world/listings/listings.ts';
import { removePhotoFiles, createUploadSlots } from '../world/listings/photos.ts';
import {
  listApiChannels,
  listChannelStates,
  deleteFromChannels,
  endListingOnChannels,
  publishOnChannels,
  requireNotLiveElsewhere,
  reviseOnChannels,
} from '../world/listings/channels.ts';
import { quotePublishFee } from '../world/listings/publish.ts';
import { requirePersonById } from '../world/people.ts';

export const listingAnswers: Answers<RouteNameOf<'Listings'>> = {
  listChannels: () => ({ body: { channels: listApiChannels() } }),

  listListings: ({ world, person, input }) => ({ body: listPersonListings(world, person, input.query) }),

  createListing: ({ world, person, input }) => {
    const createdDraft = createListingDraft(world, person, input.body, input.headers['idempotency-key']);
    const body = readApiListing(world, createdDraft.listingId);
    return createdDraft.replayed ? { status: 200, headers: { 'idempotent-replayed': 'true' }, body } : { body };
  },

  requestUploads: ({ world, person, input }) => ({
    body: createUploadSlots(world, person, input.body.listingId, input.body.files),
  }),

  readListing: ({ world, person, input }) => ({
    body: toApiListing(world, requireOwnListing(world, person, input.params.listingId)),
  }),

  updateListing: ({ world, person, input }) => {
    editUnlistedListing(world, person, input.params.listingId, input.body);
    return { body: readApiListing(world, input.params.listingId) };
  },

  deleteListing: async ({ world, person, input }) => {
    const { listingId } = input.params;
    await removePhotoFiles(world, deleteUnpublishedListing(world, person, listingId));
    return { body: { listingId, deleted: true } };
  },

  generateListing: async ({ world, person, key, input }) => {
    await startListingGeneration(world, { person, key }, input.params.listingId, input.body);
    return { body: readApiListing(world, input.params.listingId) };
  },

  relistListing: ({ world, person, input }) => {
    const { listingId } = requireOwnListing(world, person, input.params.listingId);
    requireNotLiveElsewhere(world, listingId);
    relistEndedListing(world, person, listingId);
    return { body: readApiListing(world, input.params.listingId) };
  },

  setListingVisibility: ({ world, person, input }) => {
    setListingVisibility(world, person, input.params.listingId, input.body.visible ?? true);
    return { body: readApiListing(world, input.params.listingId) };
  },

  revertListing: ({ world, person, input }) => {
    revertFailedListing(world, person, input.params.listingId);
    return { body: readApiListing(world, input.params.listingId) };
  },

  readListingChannels: ({ world, person, input }) => ({
    body: { channels: listChannelStates(world, requireOwnListing(world, person, input.params.listingId)) },
  }),

  publishChannels: ({ world, person, input }) => ({
    body: publishOnChannels(world, person, input.params.listingId, input.body),
  }),

  reviseChannels: ({ world, person, input }) => {
    reviseOnChannels(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: readApiListing(world, input.params.listingId) } };
  },

  endChannels: ({ world, person, input }) => {
    endListingOnChannels(world, person, input.params.listingId, input.body);
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
    const quote = quotePublishFee(world, person, listing, input.body);
    return {
      body: {
        quote: { ...quote, marketplaceId: listing.marketplaceId },
        feeNotice: { confirmedSites: requirePersonById(world, person.userId).confirmedSites },
      },
    };
  },
};
