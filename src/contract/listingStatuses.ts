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

/** A listing in one of these states was never live, so it can be edited with PUT or deleted. */
export const editableStatuses: readonly ListingStatus[] = ['draft', 'pending_review', 'failed'];
