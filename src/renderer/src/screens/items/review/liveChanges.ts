import type { Listing } from '../../../api/types.ts';
import { centsToText, textToCents } from '../../../components/text/format.ts';
import { checkQuantity, checkTitle } from './fields/fieldProblems.ts';
import { t } from '../../../i18n/t.ts';

/** What stands in the fields of a live listing that is being changed. */
export type LiveDraft = { title: string; price: string; quantity: string };
/** What is sent to change a live listing; the price in hundredths. */
export type LiveChanges = { title?: string; price?: number; quantity?: number };

/** The fields of a live edit as the listing has them. */
export const draftOf = (listing: Listing): LiveDraft => ({
  title: listing.title ?? '',
  price: centsToText(listing.price),
  quantity: String(listing.quantity ?? 1),
});

/** Only what differs from the live listing; or what is wrong with it, in words. */
export const liveChanges = (listing: Listing, draft: LiveDraft): LiveChanges | string => {
  const was = draftOf(listing);
  const changes: LiveChanges = {};
  if (draft.title !== was.title) changes.title = draft.title.trim();
  if (draft.quantity !== was.quantity) changes.quantity = Number(draft.quantity);
  if (draft.price !== was.price) {
    const cents = textToCents(draft.price);
    if (cents === null) return t('review.check.price', { example: centsToText(3_499) });
    if (cents !== listing.price) changes.price = cents;
  }
  const wrong = checkTitle(draft.title) ?? (changes.quantity === undefined ? null : checkQuantity(draft.quantity));
  if (wrong !== null) return wrong;
  return Object.keys(changes).length === 0 ? t('review.check.nothing') : changes;
};
