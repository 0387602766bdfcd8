import { actOf, type FeeAnswer, type Listing, type RouteName, listing as listingShape } from '../../contract/index.ts';
import type { BoundPhoto } from '../photos/boundPhotos.ts';
import { boundListing } from '../listings/listings.ts';
import { canonical, digestOf, recordOf, bodyOf } from '../base/json.ts';
import type { Quote, StoredSubject, Subject } from '../storage/tables/approvalRecord.ts';
import type { FieldMovesTable } from '../storage/tables/fieldMovesTable.ts';

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

/** Where two JSON values differ, leaf by leaf; `path` is where they stand. Null and nothing are the same. */
export const differencesOf = (before: unknown, after: unknown, path: string[] = []): Difference[] => {
  const byPath = (value: unknown) => new Map(leavesOf(value, path).map((leaf) => [JSON.stringify(leaf.path), leaf]));
  const [was, is] = [byPath(before), byPath(after)];
  return [...new Map([...was, ...is])].flatMap(([key, leaf]) => {
    const difference = { path: leaf.path, before: was.get(key)?.value, after: is.get(key)?.value };
    return canonical(difference.before ?? null) === canonical(difference.after ?? null) ? [] : [difference];
  });
};

/** A sale leaves fewer: that concerns neither an end nor a change of something else. */
const leavesQuantityAlone = ({ request: { route, input } }: Subject): boolean => {
  const act = actOf(route);
  if (act === 'end') return true;
  return act === 'revise' && !('quantity' in recordOf(bodyOf(input)));
};

/** That of the listing, and that on a channel. */
const quantities = /^(listing|context\.channels\.\d+\.before)\.quantity$/;

const isSale = ({ path, before, after }: Difference, subject: Subject): boolean =>
  quantities.test(path.join('.')) &&
  typeof before === 'number' &&
  typeof after === 'number' &&
  after < before &&
  leavesQuantityAlone(subject);

/** The notice to which the yes would also agree has been agreed to since: it asks for less than what was shown. */
const isAgreedSince = ({ path }: Difference, before: Subject, after: Subject): boolean =>
  (path[0] === 'first' || path.join('.') === 'feeNotice.agreed') &&
  before.feeNotice?.agreed === false &&
  after.feeNotice?.agreed === true &&
  after.feeNotice.site === before.feeNotice.site &&
  after.first.length === 0;

/** Words that name money, a number of pieces, or a condition of the sale. */
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
 * What is called as money, a number of pieces or a condition of the sale is what a buyer pays or gets: it never moves
 * unasked, however often it differs.
 */
const isMeant = ({ path }: Difference): boolean =>
  path.some(
    (name) => /cents|minor|price|fee|cost|quantity/i.test(name) || wordsOf(name).some((word) => meant.has(word)),
  );

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
const isCountOrTime = (value: unknown): boolean => typeof value === 'number' || isTime(value);

/** A number that became another one, or a time: nothing else moves by itself, neither what appears nor what goes. */
const mayMove = (one: Difference): boolean => isCountOrTime(one.before) && isCountOrTime(one.after) && !isMeant(one);

/** The field of a listing that differs, by its whole path. */
const fieldOf = ({ path }: Difference): string => path.slice(1).join('.');

/** Whether a difference is that of a field of a listing that moves by itself. */
export const movesByItself = (one: Difference, moving: ReadonlySet<string>): boolean =>
  one.path[0] === 'listing' && moving.has(fieldOf(one)) && mayMove(one);

/** Differences for which a yes to `before` is none to `after`; `moving` are fields of listings that move by themselves. */
export const unboundDifferences = (before: Subject, after: Subject, moving: ReadonlySet<string>): Difference[] =>
  differencesOf(before, after).filter(
    (one) => !isSale(one, before) && !isAgreedSince(one, before, after) && !movesByItself(one, moving),
  );

/** Whether a yes to the stored subject covers the fresh one. One from before there were subjects covers nothing. */
export const covers = (before: StoredSubject, after: Subject, moving: ReadonlySet<string>): boolean =>
  before.version === 2 && unboundDifferences(before, after, moving).length === 0;

/** Fields that the interface names, and those whose meaning is known: they never move by themselves. */
const named: ReadonlySet<string> = new Set(Object.keys(listingShape.shape));

export type MovingFields = ReturnType<typeof createMovingFields>;

/**
 * Fields of listings that move by themselves at the service, as a counter or a time, by their whole paths. One that the
 * interface does not name and that no asker ever wrote is shown the first time it differs; the second time it is noted for
 * the account and no longer bound, for as long as it is a number or a time. One whose name tells of money, of a number of pieces
 * or of a condition of the sale is bound for good.
 */
export const createMovingFields = (table: FieldMovesTable) => {
  return {
    /** The fields that are not bound. */
    of: (account: string): ReadonlySet<string> => new Set(table.moving(account)),
    /** A field that any asker ever wrote is always bound. */
    written: (account: string, body: unknown): void => {
      if (body === null || typeof body !== 'object') return;
      for (const field of Object.keys(body)) {
        if (named.has(field)) continue;
        table.noteWrite(account, field);
      }
    },
    /**
     * Notes differences that nobody here can have made; answers the fields that are not bound from now on. Differences of
     * anything else note nothing.
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
