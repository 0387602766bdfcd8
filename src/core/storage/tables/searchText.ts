import type { Listing } from '../../../contract/index.ts';
import { entryOf } from '../../../contract/foreign.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decoded = (text: string): string =>
  text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entryOf(named, name.toLowerCase()) ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });

/** The words of a listing besides its title, without the tags of its description. */
export const wordsOf = (listing: Listing): string =>
  [
    decoded((listing.description ?? '').replace(/<[^>]*>/g, ' ')),
    ...Object.entries(listing.itemSpecifics ?? {}).flat(),
    listing.categoryName,
    listing.condition,
    listing.sku,
    listing.listingId,
  ]
    .filter(Boolean)
    .join(' ');
