import type { Listing } from '../../../../api/call.ts';
import { centsToText, moneyProblem, textToCents } from '../../../../components/text/format.ts';
import { t } from '../../../../i18n.ts';

export const formats = ['FIXED_PRICE', 'AUCTION'] as const;
export type Format = (typeof formats)[number];

/** The field values of the offer form; an empty limit means no limit. */
export type OfferDraft = { format: Format; enabled: boolean; accept: string; decline: string };
export type Offers = {
  format?: Format;
  bestOffer: { enabled: boolean; autoAcceptCents?: number; autoDeclineCents?: number };
};

/** Returns the format of a listing; null if it is unknown. */
export const formatOf = ({ format }: Listing): Format | null => formats.find((one) => one === format) ?? null;

export const offerDraftOf = (listing: Listing): OfferDraft => ({
  format: formatOf(listing) ?? 'FIXED_PRICE',
  enabled: listing.bestOffer?.enabled ?? false,
  accept: centsToText(listing.bestOffer?.autoAcceptCents),
  decline: centsToText(listing.bestOffer?.autoDeclineCents),
});

/** Checks the limits against each other and the price; returns a sentence, or null if valid. */
const wrongIn = (accept: number | null, decline: number | null, price: number | null): string | null => {
  if (accept !== null && price !== null && accept > price) return t('review.offers.acceptAbove');
  if (decline !== null && price !== null && decline > price) return t('review.offers.declineAbove');
  return accept !== null && decline !== null && decline >= accept ? t('review.offers.declineBelow') : null;
};

/**
 * Returns the changes to request, or a sentence that says what is invalid. Always contains `bestOffer`, so that an
 * approval is needed. An auction takes no offers.
 */
export const offersOf = (listing: Listing, draft: OfferDraft): Offers | string => {
  const known = formatOf(listing);
  const format = known === null || known === draft.format ? {} : { format: draft.format };
  if (!draft.enabled || draft.format === 'AUCTION') return { ...format, bestOffer: { enabled: false } };
  const [accept, decline] = [draft.accept, draft.decline].map((text) =>
    text.trim() === '' ? null : textToCents(text),
  );
  const problems = [draft.accept, draft.decline].flatMap((text) =>
    text.trim() === '' ? [] : (moneyProblem(text) ?? []),
  );
  const wrong = problems[0] ?? wrongIn(accept ?? null, decline ?? null, listing.price ?? null);
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
