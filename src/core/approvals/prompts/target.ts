import { currencyOf, type Listing } from '../../../contract/index.ts';
import { inEnglish } from '../../../words/inEnglish.ts';
import { saying, type Saying } from '../../../words/saying.ts';
import { money } from '../../words/money.ts';
import type { Fact, Prompt } from '../approval.ts';
import { digestOf } from '../canonical.ts';
import type { Reads } from './prompt.ts';

const specificsShown = 12;

/** The facts of a listing in the order in which a prompt shows them. What is not set is left out. */
export const listingFacts = (listing: Listing): Fact[] => {
  const currency = currencyOf(listing);
  const facts: [string, string | null | undefined, Saying?][] = [
    typeof listing.price === 'number'
      ? ['Price', money(listing.price, currency), amount(listing.price, currency)]
      : ['Price', null],
    ['Condition', inWords(listing.condition), codeSays(listing.condition)],
    ['Quantity', typeof listing.quantity === 'number' ? String(listing.quantity) : null],
    ['Format', inWords(listing.format), codeSays(listing.format)],
    bestOfferFact(listing, currency),
    ['Category', listing.categoryName],
    ['Photos', listing.imageUrls ? String(listing.imageUrls.length) : null],
    ...Object.entries(listing.itemSpecifics ?? {}).slice(0, specificsShown),
  ];
  return facts.flatMap(([label, value, says]) => (value ? [{ label, value, ...(says ? { says } : {}) }] : []));
};

/** The service's codes as words: USED_GOOD is "Used good". Anything else stays as it is. */
export const inWords = (text: string | null | undefined): string | null => {
  if (!text || !/^[A-Z][A-Z0-9_]*$/.test(text)) return text ?? null;
  const words = text.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A code is its own key; one that no language knows stays as it is. */
export const codeSays = (code: string | null | undefined): Saying | undefined =>
  code ? { key: `values.${code}` } : undefined;

const bestOfferFact = ({ bestOffer }: Listing, currency: string | null): [string, string | null, Saying?] => {
  if (!bestOffer?.enabled) return ['Best Offer', null];
  const accept = bestOffer.autoAcceptCents;
  const says =
    typeof accept === 'number' ? saying('values.onFrom', { amount: { minor: accept, currency } }) : saying('values.on');
  return ['Best Offer', inEnglish(says), says];
};

/** An amount as the value of a fact. */
export const amount = (minor: number, currency: string | null): Saying =>
  saying('values.amount', { amount: { minor, currency } });

/** The title of a listing that has none. */
export const untitled = saying('prompts.untitledDraft');

/** The target of a prompt: the listing as the service has it now. */
export const targetOf = (listing: Listing, reads: Reads): NonNullable<Prompt['target']> => ({
  listingId: listing.listingId,
  title: listing.title ?? inEnglish(untitled),
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
