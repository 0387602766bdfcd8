/** Why an item stands still, by code. */
export const stops = {
  CANCELLED: 'You stopped it here. Nothing was published.',
  'CANCELLED.writing': 'You stopped waiting for it. The service may still finish writing it; nothing is published.',
  DELETED: 'The listing was deleted. The photos are still here.',
  NO_PHOTOS: 'None of the photos can be used. See what is said of each, then drop better ones as a new item.',
  DRAFT_UNKNOWN:
    'The draft was asked for over a day ago and the answer never came. Look for it in your listings before you drop these photos again.',
  ALLOWANCE_USED:
    "This month's listings are used up. Nothing was written. Try again after the reset, or with a larger plan.",
  WOULD_BE_EXTRA:
    'The next listing would be a paid extra, which needs your yes first. Set some aside under Account, then try again. Nothing was written.',
  USAGE_LIMIT: "This month's listings are used up, so this one was not written.",
  IMAGES_UNREADABLE: 'The service could not read the photos. Drop sharper ones as a new item.',
  WRITING_FAILED: 'Writing failed at the service.',
  ASKED_AGAIN: 'Writing it again uses one more listing, so it waits for your yes.',
} as const;
