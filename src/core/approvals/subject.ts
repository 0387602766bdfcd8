import type { FeeAnswer, Listing, RouteName } from '../../contract/index.ts';
import type { BoundPhoto } from '../photos/boundPhotos.ts';
import { canonical, digestOf } from '../base/canonicalJson.ts';
import { recordOf } from '../base/unknownRecord.ts';
import type { Quote, StoredSubject, Subject } from '../storage/tables/subjectRecord.ts';

/** A request that the same yes also covers and that is sent before the one asked for. */
export type FirstRequest = { route: RouteName; input: unknown };

/** What an act reads from the service before it can be shown. What is left out does not concern it. */
export type Gathered = {
  listing?: Listing;
  photos?: BoundPhoto[];
  quote?: NonNullable<FeeAnswer['quote']>;
  feeNotice?: { site: string; agreed: boolean };
  first?: FirstRequest[];
  /** Further records by name, whole as the service answered them. */
  context?: Record<string, unknown>;
};

/**
 * Fields of a listing that carry no meaning to a buyer and change by themselves. Photos are bound by their content in the
 * place of their addresses.
 */
export const unboundFields: ReadonlySet<string> = new Set([
  'updatedAt',
  'suggestedPrice',
  'processingError',
  'processingErrorCode',
  'publishBlockers',
  'soldQuantity',
  'imageUrls',
]);

export type Asked = { route: RouteName; input: unknown; account: string; askerId: string; key: string };

/** The canonical object of what was asked and read. */
export const createSubject = (asked: Asked, { listing, quote, feeNotice, ...read }: Gathered): Subject => {
  const { route, input, askerId: asker, account, key } = asked;
  return {
    version: 2,
    // As it is stored: what JSON does not carry is not sent either.
    request: { route, input: plain(input) },
    first: (read.first ?? []).map((one) => ({ ...one, input: plain(one.input) })),
    asker,
    account,
    key,
    listing: listing ? boundListing(listing) : null,
    photos: read.photos ?? [],
    quote: quote ? soundQuote(quote) : null,
    feeNotice: feeNotice ?? null,
    context: recordOf(plain(read.context ?? {})),
  };
};

/** A quote that adds up; one that contradicts itself tells nobody what would be paid, so it is none. */
const soundQuote = ({ state, currency = null, totalMinor = null, lines }: NonNullable<Gathered['quote']>): Quote => {
  const own = (lines ?? []).map(({ name, amountMinor }) => ({ name, amountMinor }));
  const sum = own.reduce((all, { amountMinor }) => all + amountMinor, 0);
  const isSound =
    state === 'fee'
      ? totalMinor !== null &&
        totalMinor >= 0 &&
        /^[A-Z]{3}$/.test(currency ?? '') &&
        (own.length === 0 || sum === totalMinor)
      : state === 'free' && (totalMinor ?? 0) === 0 && sum === 0;
  return isSound
    ? { state, currency, totalMinor, lines: own }
    : { state: 'unavailable', currency: null, totalMinor: null, lines: [] };
};

const plain = (value: unknown): unknown => JSON.parse(canonical(value));

/** A listing as a yes is bound to it: every field that the service answers, less those that carry no meaning. */
export const boundListing = (listing: Listing): Record<string, unknown> =>
  Object.fromEntries(Object.entries(recordOf(plain(listing))).filter(([field]) => !unboundFields.has(field)));

/** Names everything that a yes is bound to. */
export const digestOfSubject = (subject: StoredSubject): string => digestOf(subject);

/** Names the same request of the same asker, whatever the listing is like at the moment. */
export const requestDigestOf = ({ route, input, account, askerId }: Omit<Asked, 'key'>): string =>
  digestOf([route, input, account, askerId]);

/** Names a path: a plain field by its name, any other unmistakably. */
export const pathKey = (path: readonly string[]): string => {
  const [name = ''] = path;
  return path.length === 1 && /^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(path);
};

export type Leaf = { path: string[]; value: unknown };

const isContainer = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.keys(value).length > 0;

/** Every leaf of a JSON value with its path; an empty object or list is a leaf, as sending one may erase something. */
export const leavesOf = (value: unknown, path: string[] = []): Leaf[] => {
  if (isContainer(value)) return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]));
  return value === undefined ? [] : [{ path, value }];
};

export type Difference = { path: string[]; before: unknown; after: unknown };

/** Where two subjects differ, leaf by leaf. */
export const differencesOf = (before: Subject, after: Subject): Difference[] => {
  const byPath = (subject: Subject) => new Map(leavesOf(subject).map((leaf) => [JSON.stringify(leaf.path), leaf]));
  const [was, is] = [byPath(before), byPath(after)];
  return [...new Map([...was, ...is])].flatMap(([key, { path }]) => {
    const difference = { path, before: was.get(key)?.value, after: is.get(key)?.value };
    return canonical(difference.before ?? null) === canonical(difference.after ?? null) ? [] : [difference];
  });
};
