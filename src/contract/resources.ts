import * as z from 'zod';
import { cents, quantity, siteId } from './fields.ts';

export const listingStatuses = [
  'draft',
  'processing',
  'pending_review',
  'published',
  'ended',
  'sold',
  'failed',
] as const;
export type ListingStatus = (typeof listingStatuses)[number];

/** The states in which a listing can be edited with PUT or deleted, because it never went live. */
export const editableStatuses: readonly ListingStatus[] = ['draft', 'pending_review', 'failed'];

/** A problem to fix before a publish. The interface documents no fields; these are the practice service's own. */
export const publishBlocker = z.looseObject({
  code: z.string().optional(),
  field: z.string().optional(),
  message: z.string().optional(),
});

/** Best Offer, settable on edit and revise. Its fields are the practice service's own. */
export const bestOffer = z.looseObject({
  enabled: z.boolean().optional(),
  autoAcceptCents: z.int().nonnegative().optional(),
  autoDeclineCents: z.int().nonnegative().optional(),
});

/** Best Offer with consistent limits, for input. */
export const offerLimits = bestOffer.refine(
  ({ autoAcceptCents: accept, autoDeclineCents: decline }) =>
    accept === undefined || decline === undefined || decline < accept,
  { path: ['autoDeclineCents'], message: 'Offers are declined below a lower price than they are accepted from.' },
);

/** The fields of a revise, on the marketplace and on other channels. */
export const liveChanges = {
  title: z.string().min(1).max(200).optional(),
  description: z.string().max(500_000).optional(),
  price: cents.optional(),
  quantity: quantity.optional(),
  sku: z.string().max(200).optional(),
  bestOffer: offerLimits.optional(),
};

/** The body of a revise. `channels` names the targets and does not count as a change. */
export const revision = z
  .looseObject(liveChanges)
  .refine((body) => Object.keys(body).some((field) => field !== 'channels'), 'Name at least one field to change.');

/** A listing in an answer of the service. Fields without a value in the current state are absent or null. */
export const listing = z.looseObject({
  listingId: z.string(),
  status: z.enum(listingStatuses),
  processingError: z.string().nullish(),
  processingErrorCode: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  categoryId: z.string().nullish(),
  categoryName: z.string().nullish(),
  marketplaceId: z.string().nullish(),
  condition: z.string().nullish(),
  conditionDescription: z.string().nullish(),
  price: z.int().nullish(),
  suggestedPrice: z.int().nullish(),
  quantity: z.int().nullish(),
  itemSpecifics: z.record(z.string(), z.string()).nullish(),
  imageUrls: z.array(z.string()).nullish(),
  publishBlockers: z.array(publishBlocker).nullish(),
  bestOffer: bestOffer.nullish(),
  sku: z.string().nullish(),
  /** The practice service's own fields: live page, listing format, packed size and weight. */
  marketListingId: z.string().nullish(),
  marketListingUrl: z.string().nullish(),
  format: z.string().nullish(),
  currency: z.string().nullish(),
  packageWeightGrams: z.int().nullish(),
  additionalContext: z.string().nullish(),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
});
export type Listing = z.infer<typeof listing>;

export const uploadSlot = z.looseObject({
  uploadUrl: z.string(),
  key: z.string(),
  publicUrl: z.string(),
  imageId: z.string(),
});
export type UploadSlot = z.infer<typeof uploadSlot>;

export const feeLine = z.looseObject({ name: z.string(), amountMinor: z.int() });
/** The fee of a publish, in minor units of its currency. */
export const feeQuote = z.looseObject({
  state: z.enum(['fee', 'free', 'unavailable']),
  marketplaceId: z.string().nullish(),
  currency: z.string().nullish(),
  totalMinor: z.int().nullish(),
  lines: z.array(feeLine).nullish(),
  reason: z.string().nullish(),
});

/** The answer about a listing's fees: the quote, and the sites whose fee notice is confirmed. */
export const feeAnswer = z.looseObject({
  quote: feeQuote.nullish(),
  feeNotice: z.looseObject({ confirmedSites: z.array(siteId).default([]) }).nullish(),
});
export type FeeAnswer = z.infer<typeof feeAnswer>;

export const publishAnswer = z.looseObject({
  success: z.boolean(),
  marketListingId: z.string().nullish(),
  marketListingUrl: z.string().nullish(),
});

/** The answer of GET /agent/me. Only documented fields are declared; others are kept. */
export const standing = z.looseObject({
  allowance: z.looseObject({
    remaining: z.int(),
    creditBalance: z.int(),
    nextListing: z.looseObject({ kind: z.string() }).nullish(),
    resetsAt: z.string().nullish(),
    extras: z
      .looseObject({
        available: z.boolean().nullish(),
        enabled: z.boolean().nullish(),
        rateCents: z.int().nullish(),
        approval: z.looseObject({ remaining: z.int() }).nullish(),
      })
      .nullish(),
  }),
  upgrade: z
    .looseObject({
      recommended: z.boolean().nullish(),
      suggestedPlan: z.string().nullish(),
      offerTrial: z.boolean().nullish(),
      how: z.unknown().optional(),
    })
    .nullish(),
  nextSteps: z
    .array(
      z.looseObject({ code: z.string().nullish(), tellThePerson: z.string().nullish(), call: z.unknown().optional() }),
    )
    .nullish(),
  /** The practice service's own names; the interface only says that these facts are present. */
  plan: z
    .looseObject({ code: z.string().nullish(), name: z.string().nullish(), photosPerListing: z.int().nullish() })
    .nullish(),
  market: z.looseObject({ connected: z.boolean().nullish() }).nullish(),
});
export type Standing = z.infer<typeof standing>;

export const person = z.looseObject({
  userId: z.string(),
  email: z.string().nullish(),
  name: z.string().nullish(),
  plan: z.string().nullish(),
});

/** A record of GET /agent/routes. */
export const routeRecord = z.looseObject({
  method: z.string(),
  path: z.string(),
  summary: z.string().nullish(),
  access: z.string(),
  askFirst: z.boolean().default(false),
  askFirstWhen: z.array(z.string()).default([]),
  reversible: z.boolean().default(true),
});

/** The body of a refusal: a sentence and, if there is one, a stable code. A plain 403 has only `message`. */
export const errorBody = z.looseObject({
  error: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});
