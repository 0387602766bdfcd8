import * as z from 'zod';
import { cents, extrasApprovalId, id, idempotencyKey, openObject, policyChoice, quantity, siteId } from '../fields.ts';
import { limits } from '../limits.ts';
import { feeAnswer, listing, offerLimits, publishAnswer, revision, uploadSlot } from '../resources.ts';
import { declareRoutes } from '../route.ts';

const one = z.object({ listingId: id });

export const listingChanges = z.looseObject({
  title: z.string().min(1, 'A title is needed.').max(200).optional(),
  description: z.string().max(500_000).optional(),
  price: cents.optional(),
  condition: z.string().min(1).optional(),
  conditionDescription: z.string().max(5_000).optional(),
  itemSpecifics: z.record(z.string(), z.string()).optional(),
  quantity: quantity.optional(),
  categoryId: z.string().min(1).optional(),
  packageWeightGrams: z.int().min(1).max(1_000_000).optional(),
  sku: z.string().max(200).optional(),
  format: z.string().max(40).optional(),
  bestOffer: offerLimits.optional(),
});
export type ListingChanges = z.infer<typeof listingChanges>;

export const listingRoutes = declareRoutes('Listings', {
  listChannels: {
    method: 'GET',
    path: '/channels',
    summary: 'List the sales channels with their photo caps and title lengths.',
    access: 'agent',
    answer: () => z.looseObject({ channels: z.array(openObject).default([]) }),
    namesPersonPages: true,
  },
  listListings: {
    method: 'GET',
    path: '/listings',
    summary: "List the person's listings, newest first, with their status.",
    access: 'agent',
    query: () =>
      z.looseObject({
        status: z.string().optional(),
        q: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(200).optional(),
        cursor: z.string().optional(),
      }),
    answer: () => z.looseObject({ listings: z.array(listing).default([]), nextCursor: z.string().nullish() }),
  },
  createListing: {
    method: 'POST',
    path: '/listings',
    summary: 'Start a draft for one item; the same Idempotency-Key and body answer the draft already made.',
    access: 'agent',
    repeatable: true,
    status: 201,
    headers: () => z.object({ 'idempotency-key': idempotencyKey.optional() }),
    body: () =>
      z
        .looseObject({
          additionalContext: z.string().max(20_000).optional(),
          quantity: quantity.default(1),
          marketplaceId: siteId.optional(),
          listingLanguage: z.string().min(2).max(20).optional(),
          marketAccountId: z.string().optional(),
          templateId: z.string().nullable().optional(),
        })
        .prefault({}),
    answer: () => listing,
  },
  requestUploads: {
    method: 'POST',
    path: '/listings/upload-url',
    summary: 'Ask for one upload address for each photo; 0 is the main photo; they last 15 minutes.',
    access: 'agent',
    repeatable: true,
    body: () =>
      z.looseObject({
        listingId: id,
        files: z
          .array(z.looseObject({ contentType: z.enum(limits.photoTypes), index: z.int().min(0) }))
          .min(1, 'At least one file is needed.'),
      }),
    answer: () => z.array(uploadSlot),
  },
  readListing: {
    method: 'GET',
    path: '/listings/{listingId}',
    summary: 'Read one listing; while it is written at most every 5 seconds.',
    access: 'agent',
    params: () => one,
    answer: () => listing,
  },
  updateListing: {
    method: 'PUT',
    path: '/listings/{listingId}',
    summary: 'Edit a listing that never went live.',
    access: 'agent',
    askFirstWhen: ['bestOffer'],
    params: () => one,
    body: () => listingChanges,
  },
  deleteListing: {
    method: 'DELETE',
    path: '/listings/{listingId}',
    summary: 'Delete a listing that never went live.',
    access: 'agent',
    askFirst: true,
    reversible: false,
    params: () => one,
  },
  generateListing: {
    method: 'POST',
    path: '/listings/{listingId}/generate',
    summary: 'Have the listing written from its photos; once an item, as it uses one listing of the allowance.',
    access: 'agent',
    cost: 'uses_listing',
    params: () => one,
    body: () =>
      z
        .looseObject({
          intent: z.enum(['initial', 'adapt_marketplace']).default('initial'),
          targetMarketplaceId: siteId.optional(),
          targetLanguage: z.string().min(2).max(20).optional(),
          extrasApprovalId: extrasApprovalId.optional(),
        })
        .prefault({}),
    bodyFields: ['intent', 'targetMarketplaceId', 'targetLanguage', 'extrasApprovalId'],
  },
  relistListing: {
    method: 'POST',
    path: '/listings/{listingId}/relist',
    summary: 'Bring an ended or unsold listing back for review; does not publish.',
    access: 'agent',
    params: () => one,
    body: () => openObject.prefault({}),
  },
  setListingVisibility: {
    method: 'POST',
    path: '/listings/{listingId}/visibility',
    summary: "Show or hide a listing in the service's own lists; does not end it.",
    access: 'agent',
    repeatable: true,
    params: () => one,
    body: () => z.looseObject({ visible: z.boolean().optional() }).prefault({}),
  },
  revertListing: {
    method: 'POST',
    path: '/listings/{listingId}/revert',
    summary: 'Take a failed listing back to review, or to draft when it was never written.',
    access: 'agent',
    params: () => one,
    body: () => openObject.prefault({}),
  },
  readListingChannels: {
    method: 'GET',
    path: '/listings/{listingId}/channels',
    summary: 'Read where the listing is live.',
    access: 'agent',
    params: () => one,
  },
  publishChannels: {
    method: 'POST',
    path: '/listings/{listingId}/channels/publish',
    summary: 'Publish a listing on chosen channels; the marketplace charges its fees.',
    access: 'agent',
    askFirst: true,
    cost: 'market_fees',
    params: () => one,
    body: () => openObject.prefault({}),
    answer: () => publishAnswer.partial(),
  },
  reviseChannels: {
    method: 'POST',
    path: '/listings/{listingId}/channels/revise',
    summary: 'Change a live listing on its channels.',
    access: 'agent',
    askFirst: true,
    quota: 'trading',
    params: () => one,
    body: () => revision,
  },
  endChannels: {
    method: 'POST',
    path: '/listings/{listingId}/channels/end',
    summary: 'End a live listing on its channels; it cannot be undone.',
    access: 'agent',
    askFirst: true,
    reversible: false,
    quota: 'trading',
    params: () => one,
    body: () => openObject.prefault({}),
  },
  deleteFromChannels: {
    method: 'POST',
    path: '/listings/{listingId}/channels/delete',
    summary: 'Remove a listing from a channel other than the marketplace.',
    access: 'agent',
    askFirst: true,
    params: () => one,
    body: () => openObject.prefault({}),
  },
  quoteFees: {
    method: 'POST',
    path: '/listings/{listingId}/channels/fees',
    summary: 'Quote the marketplace fees of a listing, or confirm the fee notice of its site.',
    access: 'agent',
    askFirstWhen: ['action=confirm'],
    quota: 'fee_verify',
    repeatable: true,
    params: () => one,
    body: () =>
      z
        .looseObject({
          action: z.enum(['quote', 'confirm']).default('quote'),
          marketplaceId: siteId.optional(),
          ...policyChoice,
        })
        .prefault({}),
    bodyFields: [
      'action',
      'marketplaceId',
      'marketAccountId',
      'fulfillmentPolicyId',
      'paymentPolicyId',
      'returnPolicyId',
    ],
    answer: () => feeAnswer,
  },
});
