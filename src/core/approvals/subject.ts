import { actOf, type FeeAnswer, type Listing, type RouteName, listing as listingShape } from '../../contract/index.ts';
import type { BoundPhoto } from '../photos/boundPhotos.ts';
import { boundListing } from '../listings/listings.ts';
import { canonical, digestOf, recordOf, bodyOf } from '../base/json.ts';
import type { Quote, StoredSubject, Subject } from '../storage/tables/approvalRecord.ts';
import type { FieldMovesTable } from '../storage/tables/fieldMovesTable.ts';

/** A request that the same approval covers and that is sent before the main request. */
export type FirstRequest = { route: RouteName; input: unknown };

/** What is read from the service before an act can be shown. A field is absent where the act does not need it. */
export type Gathered = {
  listing?: Listing;
  photos?: BoundPhoto[];
  quote?: NonNullable<FeeAnswer['quote']>;
  feeNotice?: { site: string; agreed: boolean };
  first?: FirstRequest[];
  /** Further records by name, complete as the service returned them. */
  context?: Record<string, unknown>;
};

export type Asked = { route: RouteName; input: unknown; account: string; askerId: string; key: string };

/** Returns the canonical object that an approval is bound to. */
export const createSubject = (asked: Asked, { listing, quote, feeNotice, ...read }: Gathered): Subject => {
  const { route, input, askerId: asker, account, key } = asked;
  return {
    version: 2,
    // The stored form: what JSON cannot carry is not sent either.
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

/** Returns the quote, or an unavailable quote if its amounts contradict each other. */
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

/** Returns the digest of everything that an approval is bound to. */
export const digestOfSubject = (subject: StoredSubject): string => digestOf(subject);

/** Returns the digest of a request of one asker, independent of the state of the listing. */
export const requestDigestOf = ({ route, input, account, askerId }: Omit<Asked, 'key'>): string =>
  digestOf([route, input, account, askerId]);

/** Returns an unambiguous text for a path: the field name for a plain field, JSON for any other path. */
export const pathKey = (path: readonly string[]): string => {
  const [name = ''] = path;
  return path.length === 1 && /^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(path);
};

export type Leaf = { path: string[]; value: unknown };

const isContainer = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.keys(value).length > 0;

/**
 * Returns every leaf of a JSON value with its path. An empty object or list is a leaf, because sending it may erase a
 * value.
 */
export const leavesOf = (value: unknown, path: string[] = []): Leaf[] => {
  if (isContainer(value)) return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]));
  return value === undefined ? [] : [{ path, value }];
};

export type Difference = { path: string[]; before: unknown; after: unknown };

/** Returns the leaves in which two JSON values differ. `path` is the prefix of their paths; null and undefined are equal. */
export const differencesOf = (before: unknown, after: unknown, path: string[] = []): Difference[] => {
  const byPath = (value: unknown) => new Map(leavesOf(value, path).map((leaf) => [JSON.stringify(leaf.path), leaf]));
  const [was, is] = [byPath(before), byPath(after)];
  return [...new Map([...was, ...is])].flatMap(([key, leaf]) => {
    const difference = { path: leaf.path, before: was.get(key)?.value, after: is.get(key)?.value };
    return canonical(difference.before ?? null) === canonical(difference.after ?? null) ? [] : [difference];
  });
};

/** A sale lowers the quantity. This does not affect an end, or a revision of other fields. */
const leavesQuantityAlone = ({ request: { route, input } }: Subject): boolean => {
  const act = actOf(route);
  if (act === 'end') return true;
  return act === 'revise' && !('quantity' in recordOf(bodyOf(input)));
};

/** The quantity of the listing, and its quantity on a channel. */
const quantities = /^(listing|context\.channels\.\d+\.before)\.quantity$/;

const isSale = ({ path, before, after }: Difference, subject: Subject): boolean =>
  quantities.test(path.join('.')) &&
  typeof before === 'number' &&
  typeof after === 'number' &&
  after < before &&
  leavesQuantityAlone(subject);

/** The fee notice was accepted after the prompt was shown, so the approval now covers less than what was shown. */
const isAgreedSince = ({ path }: Difference, before: Subject, after: Subject): boolean =>
  (path[0] === 'first' || path.join('.') === 'feeNotice.agreed') &&
  before.feeNotice?.agreed === false &&
  after.feeNotice?.agreed === true &&
  after.feeNotice.site === before.feeNotice.site &&
  after.first.length === 0;

/** Words in field names that refer to money, a quantity or a condition of the sale. */
const meant: ReadonlySet<string> = new Set(
  `amount available availability bid bids buyer cent cents charge charges commission cost costs credit currency day days delivery deposit
   discount duty fee fees handling hold insurance limit lot major margin max maximum min minimum minor money offer offers pack pay
   payment payout percent percentage pieces postage price prices pricing profit qty quantities quantity rate rates rebate
   refund remaining reserve return returns revenue royalty sale sales sell seller ship shipping size stock sum surcharge tariff tax taxes term terms
   total totals unit units value vat warranty weight`.split(/\s+/),
);
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/**
 * A field named after money, a quantity or a condition of the sale affects what the buyer pays or receives.
 * It stays bound to the approval, however often it differs.
 */
const isMeant = ({ path }: Difference): boolean =>
  path.some(
    (name) => /cents|minor|price|fee|cost|quantity/i.test(name) || wordsOf(name).some((word) => meant.has(word)),
  );

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
const isCountOrTime = (value: unknown): boolean => typeof value === 'number' || isTime(value);

/**
 * Only a number that changes to another number, and a time, may move by itself. A field that appears or disappears may not.
 */
const mayMove = (one: Difference): boolean => isCountOrTime(one.before) && isCountOrTime(one.after) && !isMeant(one);

const fieldOf = ({ path }: Difference): string => path.slice(1).join('.');

/** Whether a difference is in a listing field that the service changes by itself. */
export const movesByItself = (one: Difference, moving: ReadonlySet<string>): boolean =>
  one.path[0] === 'listing' && moving.has(fieldOf(one)) && mayMove(one);

/**
 * Returns the differences for which an approval of `before` does not cover `after`. `moving` lists fields that the service
 * changes by itself.
 */
export const unboundDifferences = (before: Subject, after: Subject, moving: ReadonlySet<string>): Difference[] =>
  differencesOf(before, after).filter(
    (one) => !isSale(one, before) && !isAgreedSince(one, before, after) && !movesByItself(one, moving),
  );

/** Whether an approval of the stored subject covers the fresh one. A subject of version 1 covers nothing. */
export const covers = (before: StoredSubject, after: Subject, moving: ReadonlySet<string>): boolean =>
  before.version === 2 && unboundDifferences(before, after, moving).length === 0;

/** Fields that the interface documents. Their meaning is known, so they never count as moving. */
const named: ReadonlySet<string> = new Set(Object.keys(listingShape.shape));

export type MovingFields = ReturnType<typeof createMovingFields>;

/**
 * Listing fields that the service changes by itself (a counter or a time), by their full path.
 * An undocumented field that no asker ever wrote is shown the first time it differs. The second time it is stored as moving
 * for the account and is no longer bound, as long as it is a number or a time.
 * A field named after money, a quantity or a condition of the sale always stays bound.
 */
export const createMovingFields = (table: FieldMovesTable) => {
  return {
    of: (account: string): ReadonlySet<string> => new Set(table.moving(account)),
    /** Records written fields: a field that an asker ever wrote always stays bound. */
    written: (account: string, body: unknown): void => {
      if (body === null || typeof body !== 'object') return;
      for (const field of Object.keys(body)) {
        if (named.has(field)) continue;
        table.noteWrite(account, field);
      }
    },
    /**
     * Records differences that no local asker can have caused; returns the fields that are not bound from now on.
     * Records nothing if any of the differences is in another field.
     */
    seen: (account: string, differences: readonly Difference[]): string[] => {
      const isForeign = ({ path: [part, field = ''] }: Difference): boolean =>
        part === 'listing' && !named.has(field) && !table.isWritten(account, field);
      if (!differences.every((one) => isForeign(one) && mayMove(one))) return [];
      return differences.map(fieldOf).filter((field) => {
        if (table.see(account, field) < 2) return false;
        table.move(account, field);
        return true;
      });
    },
  };
};
