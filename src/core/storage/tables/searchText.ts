import type { Listing } from '../../../contract/index.ts';
import { htmlText } from '../../../text/htmlText.ts';

/** The words of a listing besides its title, without the tags of its description. */
export const searchText = (listing: Listing): string =>
  [
    htmlText(listing.description ?? ''),
    ...Object.entries(listing.itemSpecifics ?? {}).flat(),
    listing.categoryName,
    listing.condition,
    listing.sku,
    listing.listingId,
  ]
    .filter(Boolean)
    .join(' ');
