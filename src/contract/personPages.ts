/**
 * Fields of addresses that only the person may open, wherever the interface answers them: sign-in pages, checkouts,
 * billing, and links that connect a channel. Written without case, dashes and underscores.
 */
const personFields =
  /^(auth|authori[sz]ation|oauth|signin|signup|login|connect|reconnect|link|checkout|portal|billing|billingportal|customerportal|manage|management|payment|pay|invoice|hostedinvoice|receipt|onboarding|verification|verify|session|upgrade|consent)(url|uri|href|link|page|pdf)s?$/;

/** Whether a field is the address of a page that only the person may open. */
export const isPersonField = (name: string): boolean => personFields.test(name.replace(/[-_\s]/g, '').toLowerCase());

/** Addresses that anybody may know, in answers that else name pages of the person. */
export const openAddresses: ReadonlySet<string> = new Set([
  'marketListingUrl',
  'publicUrl',
  'imageUrl',
  'imageUrls',
  'thumbnailUrl',
]);
