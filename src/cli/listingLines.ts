import * as z from 'zod';
import { currencyOf, listing, type Listing } from '../contract/index.ts';
import { formatEnglishMoney } from '../i18n/english.ts';
import { shown } from './output.ts';

/** A page of GET /listings. */
export const listingPage = z.looseObject({ listings: z.array(listing), nextCursor: z.string().nullish() });

const priceOf = (one: Listing): string =>
  one.price === null || one.price === undefined ? '' : formatEnglishMoney(one.price, currencyOf(one));

/** A listing in a line. */
export const listingLine = (one: Listing): string =>
  [one.listingId, one.status, priceOf(one), shown(one.title ?? '(no title)', 70)].filter(Boolean).join('  ');

/** A listing in a few lines, for a review. */
export const listingLines = (one: Listing): string[] => [
  shown(one.title ?? '(no title)', 120),
  `${one.status}  ${one.marketplaceId ?? ''}  ${priceOf(one)}  ${one.condition ?? ''}  quantity ${one.quantity ?? 1}`,
  ...Object.entries(one.itemSpecifics ?? {}).map(([name, value]) => `  ${shown(name, 30)}: ${shown(value, 70)}`),
  ...(one.publishBlockers ?? []).map(({ message, code }) => `  To mend: ${shown(message ?? code, 120)}`),
  ...(one.description ? [shown(one.description, 600)] : []),
  ...(one.marketListingUrl ? [shown(one.marketListingUrl, 200)] : []),
];
