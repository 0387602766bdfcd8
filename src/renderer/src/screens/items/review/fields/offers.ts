import type { Listing } from '../../../../api/call.ts';
import { formatCentsInput, findMoneyProblem, parseCentsInput } from '../../../../components/text/format.ts';
import { t } from '../../../../i18n.ts';

export const listingFormats = ['FIXED_PRICE', 'AUCTION'] as const;
export type ListingFormat = (typeof listingFormats)[number];

/** An empty limit means no limit. */
export type OfferDraft = { format: ListingFormat; enabled: boolean; accept: string; decline: string };
export type OfferChanges = {
  format?: ListingFormat;
  bestOffer: { enabled: boolean; autoAcceptCents?: number; autoDeclineCents?: number };
};

export const findListingFormat = ({ format }: Listing): ListingFormat | null =>
  listingFormats.find((one) => one === format) ?? null;

export const createOfferDraft = (listing: Listing): OfferDraft => ({
  format: findListingFormat(listing) ?? 'FIXED_PRICE',
  enabled: listing.bestOffer?.enabled ?? false,
  accept: formatCentsInput(listing.bestOffer?.autoAcceptCents),
  decline: formatCentsInput(listing.bestOffer?.autoDeclineCents),
});

const findLimitProblem = (accept: number | null, decline: number | null, price: number | null): string | null => {
  if (accept !== null && price !== null && accept > price) return t('review.offers.acceptAbove');
  if (decline !== null && price !== null && decline > price) return t('review.offers.declineAbove');
  return accept !== null && decline !== null && decline >= accept ? t('review.offers.declineBelow') : null;
};

/**
 * Returns an error sentence if a value is invalid. The changes always contain `bestOffer`, so that the request needs an
 * approval.
 */
export const buildOfferChanges = (listing: Listing, draft: OfferDraft): OfferChanges | string => {
  const known = findListingFormat(listing);
  const format = known === null || known === draft.format ? {} : { format: draft.format };
  if (!draft.enabled || draft.format === 'AUCTION') return { ...format, bestOffer: { enabled: false } };
  const [accept, decline] = [draft.accept, draft.decline].map((text) =>
    text.trim() === '' ? null : parseCentsInput(text),
  );
  const problems = [draft.accept, draft.decline].flatMap((text) =>
    text.trim() === '' ? [] : (findMoneyProblem(text) ?? []),
  );
  const wrong = problems[0] ?? findLimitProblem(accept ?? null, decline ?? null, listing.price ?? null);
  if (wrong !== null) return wrong;
  return {
    ...format,
    bestOffer: {
      enabled: true,
      ...(typeof accept === 'number' ? { autoAcceptCents: accept } : {}),
      ...(typeof decline === 'number' ? { autoDeclineCents: decline } : {}),
    },
  };
};
