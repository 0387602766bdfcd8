import * as z from 'zod';
import { cents, quantity, siteId } from './fields.ts';
import { listingStatuses } from './listingStatuses.ts';

/** The interface does not document these fields, so the names are those of the practice service. */
export const publishBlocker = z.looseObject({
  code: z.string().optional(),
  field: z.string().optional(),
  message: z.string().optional(),
});

/** The interface does not document these fields, so the names are those of the practice service. */
export const bestOffer = z.looseObject({
  enabled: z.boolean().optional(),
  autoAcceptCents: z.int().nonnegative().optional(),
  autoDeclineCents: z.int().nonnegative().optional(),
});

export const offerLimits = bestOffer.refine(
  ({ autoAcceptCents: accept, autoDeclineCents: decline }) =>
    accept === undefined || decline === undefined || decline < accept,
  { path: ['autoDeclineCents'], message: 'Offers are declined below a lower price than they are accepted from.' },
);

export const liveChanges = {
  title: z.string().min(1).max(200).optional(),
  description: z.string().max(500_000).optional(),
  price: cents.optional(),
  quantity: quantity.optional(),
  sku: z.string().max(200).optional(),
  bestOffer: offerLimits.optional(),
};

/** `channels` names the targets of a revise, so it does not count as a change. */
export const revision = z
  .looseObject(liveChanges)
  .refine((body) => Object.keys(body).some((field) => field !== 'channels'), 'Name at least one field to change.');

/** A field that has no value yet is absent or null. */
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
  /**
   * The interface does not document the names of `marketListingId`, `marketListingUrl`, `format` and
   * `packageWeightGrams`. They are those of the practice service.
   */
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
/** Amounts are in minor units of `currency`. */
export const feeQuote = z.looseObject({
  state: z.enum(['fee', 'free', 'unavailable']),
  marketplaceId: z.string().nullish(),
  currency: z.string().nullish(),
  totalMinor: z.int().nullish(),
  lines: z.array(feeLine).nullish(),
  reason: z.string().nullish(),
});

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

export const routeRecord = z.looseObject({
  method: z.string(),
  path: z.string(),
  summary: z.string().nullish(),
  access: z.string(),
  askFirst: z.boolean().default(false),
  askFirstWhen: z.array(z.string()).default([]),
  reversible: z.boolean().default(true),
});

export const errorBody = z.looseObject({
  error: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});
