import type { RouteNameOf } from './groups.ts';
import { answerOfListing, listingAnswer } from '../world/listingAnswer.ts';
import { edit, relist, removeListing, revert, setVisibility } from '../world/changes.ts';
import { createDraft } from '../world/drafts.ts';
import { confirmFees } from '../world/feeNotice.ts';
import { generate } from '../world/generation.ts';
import { listPage } from '../world/listingPage.ts';
import { ownListing } from '../world/listings.ts';
import { removeFiles, requestUploads } from '../world/photos.ts';
import {
  channelsOf,
  channelStates,
  deleteFromChannels,
  endOnChannels,
  publishOnChannels,
  reviseOnChannels,
} from '../world/channels.ts';
import { quoteOf } from '../world/publish.ts';
import { knownPerson } from '../world/people.ts';
import type { Answers } from './answer.ts';

/** What the routes of the group "Listings" do. */
export const listingAnswers: Answers<RouteNameOf<'Listings'>> = {
  listChannels: () => ({ body: { channels: channelsOf() } }),

  listListings: ({ world, person, input }) => ({ body: listPage(world, person, input.query) }),

  createListing: ({ world, person, input }) => {
    const made = createDraft(world, person, input.body, input.headers['idempotency-key']);
    const body = answerOfListing(world, made.listingId);
    return made.replayed ? { status: 200, headers: { 'idempotent-replayed': 'true' }, body } : { body };
  },

  requestUploads: ({ world, person, input }) => ({
    body: requestUploads(world, person, input.body.listingId, input.body.files),
  }),

  readListing: ({ world, person, input }) => ({
    body: listingAnswer(world, ownListing(world, person, input.params.listingId)),
  }),

  updateListing: ({ world, person, input }) => {
    edit(world, person, input.params.listingId, input.body);
    return { body: answerOfListing(world, input.params.listingId) };
  },

  deleteListing: async ({ world, person, input }) => {
    const { listingId } = input.params;
    await removeFiles(world, removeListing(world, person, listingId));
    return { body: { listingId, deleted: true } };
  },

  generateListing: ({ world, person, key, input }) => {
    generate(world, person, key, input.params.listingId, input.body);
    return { body: answerOfListing(world, input.params.listingId) };
  },

  relistListing: ({ world, person, input }) => {
    relist(world, person, input.params.listingId);
    return { body: answerOfListing(world, input.params.listingId) };
  },

  setListingVisibility: ({ world, person, input }) => {
    setVisibility(world, person, input.params.listingId, input.body.visible ?? true);
    return { body: answerOfListing(world, input.params.listingId) };
  },

  revertListing: ({ world, person, input }) => {
    revert(world, person, input.params.listingId);
    return { body: answerOfListing(world, input.params.listingId) };
  },

  readListingChannels: ({ world, person, input }) => ({
    body: { channels: channelStates(world, ownListing(world, person, input.params.listingId)) },
  }),

  publishChannels: ({ world, person, input }) => ({
    body: publishOnChannels(world, person, input.params.listingId, input.body),
  }),

  reviseChannels: ({ world, person, input }) => {
    reviseOnChannels(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: answerOfListing(world, input.params.listingId) } };
  },

  endChannels: ({ world, person, input }) => {
    endOnChannels(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: answerOfListing(world, input.params.listingId) } };
  },

  deleteFromChannels: ({ world, person, input }) => {
    deleteFromChannels(world, person, input.params.listingId, input.body);
    return { body: { success: true, listing: answerOfListing(world, input.params.listingId) } };
  },

  quoteFees: ({ world, person, input }) => {
    const listing = ownListing(world, person, input.params.listingId);
    const { action, marketplaceId = listing.marketplaceId } = input.body;
    if (action === 'confirm')
      return { body: { feeNotice: { confirmedSites: confirmFees(world, person, listing.listingId, marketplaceId) } } };
    const { confirmedSites } = knownPerson(world, person.userId);
    return {
      body: {
        quote: { ...quoteOf(world, listing), marketplaceId: listing.marketplaceId },
        feeNotice: { confirmedSites },
      },
    };
  },
};
