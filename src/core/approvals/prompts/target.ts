import { currencyOf, type Listing } from '../../../contract/index.ts';
import { money } from '../../words/money.ts';
import type { Fact, Prompt } from '../approval.ts';
import { digestOf } from '../canonical.ts';
import type { Reads } from './prompt.ts';

const specificsShown = 12;

/** The facts of a listing in the order in which a prompt shows them. What is not set is left out. */
export const listingFacts = (listing: Listing): Fact[] => {
  const currency = currencyOf(listing);
  const facts: [string, string | null | undefined][] = [
    ['Price', typeof listing.price === 'number' ? money(listing.price, currency) : null],
    ['Condition', inWords(listing.condition)],
    ['Quantity', typeof listing.quantity === 'number' ? String(listing.quantity) : null],
    ['Format', inWords(listing.format)],
    ['Best Offer', bestOfferWords(listing, currency)],
    ['Category', listing.categoryName],
    ['Photos', listing.imageUrls ? String(listing.imageUrls.length) : null],
    ...Object.entries(listing.itemSpecifics ?? {}).slice(0, specificsShown),
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
};

/** The service's codes as words: USED_GOOD is "Used good". Anything else stays as it is. */
const inWords = (text: string | null | undefined): string | null => {
  if (!text || !/^[A-Z][A-Z0-9_]*$/.test(text)) return text ?? null;
  const words = text.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const bestOfferWords = ({ bestOffer }: Listing, currency: string | null): string | null => {
  if (!bestOffer?.enabled) return null;
  const accept = bestOffer.autoAcceptCents;
  return typeof accept === 'number' ? `on, accepted by itself from ${money(accept, currency)}` : 'on';
};

/** The target of a prompt: the listing as the service has it now. */
export const targetOf = (listing: Listing, reads: Reads): NonNullable<Prompt['target']> => ({
  listingId: listing.listingId,
  title: listing.title ?? 'Untitled draft',
  photoUrl: reads.photoUrl(listing),
  facts: listingFacts(listing),
});

/** Everything of a listing that a yes is bound to. A change of any of it takes the yes back. */
export const boundListing = (listing: Listing): Record<string, string> => ({
  Title: listing.title ?? '',
  Site: listing.marketplaceId ?? '',
  Status: listing.status,
  ...Object.fromEntries(listingFacts(listing).map(({ label, value }) => [label, value])),
  Description: digestOf(listing.description ?? ''),
  'Item specifics': digestOf(listing.itemSpecifics ?? {}),
  'Category id': listing.categoryId ?? '',
  'Best Offer terms': digestOf(listing.bestOffer ?? null),
  // Presigned addresses change with every read; the photo behind them is named by the path.
  'Photo files': digestOf((listing.imageUrls ?? []).map((url) => url.split('?')[0])),
});
