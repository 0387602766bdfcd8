import * as z from 'zod';
import { siteId } from '../../contract/index.ts';

/** Where the item is. */
export const location = z.looseObject({
  country: z.string().min(2).max(60),
  postalCode: z.string().min(1).max(20),
  city: z.string().max(100).optional(),
});
/** Country and postal code, and the city where it is known. */
export type Location = z.infer<typeof location>;

/** What a person's listings take when they say nothing else. */
export const sellerDefaults = z.looseObject({
  location: location.nullish(),
  /** `inline` shipping is written into the listing itself instead of a policy; it works on the home site only. */
  shipping: z
    .looseObject({ inline: z.boolean().optional(), handlingDays: z.int().min(0).max(30).optional() })
    .nullish(),
  returns: z.looseObject({ accepted: z.boolean().optional(), days: z.int().min(0).max(365).optional() }).nullish(),
  marketplaceId: siteId.nullish(),
  format: z.enum(['FIXED_PRICE', 'AUCTION']).nullish(),
  bestOffer: z
    .looseObject({
      enabled: z.boolean().optional(),
      autoAcceptCents: z.int().nonnegative().optional(),
      autoDeclineCents: z.int().nonnegative().optional(),
    })
    .nullish(),
  packageWeightGrams: z.int().min(1).max(1_000_000).nullish(),
});
/** Null stands for a default that was taken away. */
export type SellerDefaults = z.infer<typeof sellerDefaults>;
