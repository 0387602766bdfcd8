const minute = 60_000;
const hour = 60 * minute;

export const plans = [
  { code: 'free', name: 'Free', priceCents: 0, listingsPerMonth: 5, photosPerListing: 4 },
  { code: 'lite', name: 'Lite', priceCents: 1_499, listingsPerMonth: 30, photosPerListing: 12 },
  { code: 'starter', name: 'Starter', priceCents: 4_999, listingsPerMonth: 100, photosPerListing: 16 },
  { code: 'pro', name: 'Pro', priceCents: 11_999, listingsPerMonth: 250, photosPerListing: 16 },
  { code: 'business', name: 'Business', priceCents: 22_999, listingsPerMonth: 500, photosPerListing: 16 },
  { code: 'scale', name: 'Scale', priceCents: 45_999, listingsPerMonth: 1_000, photosPerListing: 16 },
] as const;
export type PlanCode = (typeof plans)[number]['code'];

export const limits = {
  photosPerListing: 24,
  photoTypes: ['image/jpeg', 'image/png', 'image/webp'],
  uploadWindowMs: 15 * minute,
  concurrentGenerations: 5,
  pollMs: { least: 5_000, usual: 6_000, most: 10_000 },
  longWritingMs: 10 * minute,
  notificationsPollMs: minute,
  idempotencyMs: 24 * hour,
  connectLinkMs: 10 * minute,
  signInCode: { lifeMs: 10 * minute, tries: 5, digits: 6 },
  keyInactivityMs: 180 * 24 * hour,
  extras: { approvalLifeMs: 24 * hour, perApproval: 50, perDay: 50, turnOnEveryMs: 24 * hour },
  trial: { days: 7, plan: 'lite' },
} as const;

/** The interface does not document the field with a channel's title limit, so these names are tried in this order. */
export const titleLimitFields: readonly string[] = ['maxTitleLength', 'titleLength', 'maxTitle', 'titleLimit'];
