import type { Listing } from '../../../../api/call.ts';
import { centsToText, moneyProblem, textToCents } from '../../../../components/text/format.ts';
import { t } from '../../../../i18n.ts';

export const formats = ['FIXED_PRICE', 'AUCTION'] as const;
export type Format = (typeof formats)[number];

/** How a listing sells, as it stands in the fields; empty: no limit. */
export type OfferDraft = { format: Format; enabled: boolean; accept: string; decline: string };
export type Offers = {
  format?: Format;
  bestOffer: { enabled: boolean; autoAcceptCents?: number; autoDeclineCents?: number };
};

/** The format of a listing when it is one that is known here. */
export const formatOf = ({ format }: Listing): Format | null => formats.find((one) => one === format) ?? null;

/** The fields of the offer form as the listing has them. */
export const offerDraftOf = (listing: Listing): OfferDraft => ({
  format: formatOf(listing) ?? 'FIXED_PRICE',
  enabled: listing.bestOffer?.enabled ?? false,
  accept: centsToText(listing.bestOffer?.autoAcceptCents),
  decline: centsToText(listing.bestOffer?.autoDeclineCents),
});

/** What is wrong with the limits, in words; null when nothing is. */
const wrongIn = (accept: number | null, decline: number | null, price: number | null): string | null => {
  if (accept !== null && price !== null && accept > price) return t('review.offers.acceptAbove');
  if (decline !== null && price !== null && decline > price) return t('review.offers.declineAbove');
  return accept !== null && decline !== null && decline >= accept ? t('review.offers.declineBelow') : null;
};

/**
 * What is asked for: always the offers, so that it is a question, and the format where it is another one. In words what
 * is wrong with it. An auction takes no offers.
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
