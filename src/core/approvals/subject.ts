import {
  findRouteAct,
  type FeeAnswer,
  type Listing,
  type RouteName,
  listing as listingShape,
} from '../../contract/index.ts';
import type { BoundPhoto } from '../photos/boundPhotos.ts';
import { toBoundListing } from '../listings/listings.ts';
import { toCanonicalJson, hashCanonicalJson, toRecordOrEmpty, getRequestBody } from '../base/json.ts';
import type { Quote, StoredSubject, Subject } from '../storage/tables/approvalRecord.ts';
import type { FieldMovesTable } from '../storage/tables/fieldMovesTable.ts';

/** A request that is sent before the main request. One approval covers both requests. */
export type PrecedingRequest = { route: RouteName; input: unknown };

/** The data that a prompt reads from the service. A field is absent if the request does not need it. */
export type GatheredFacts = {
  listing?: Listing;
  photos?: BoundPhoto[];
  quote?: NonNullable<FeeAnswer['quote']>;
  feeNotice?: { site: string; agreed: boolean };
  first?: PrecedingRequest[];
  /** Further records by name, exactly as the service returned them. */
  context?: Record<string, unknown>;
};

export type SubjectRequest = { route: RouteName; input: unknown; account: string; askerId: string; key: string };

/** Returns the canonical object that an approval is bound to. */
export const createBoundSubject = (
  asked: SubjectRequest,
  { listing, quote, feeNotice, ...read }: GatheredFacts,
): Subject => {
  const { route, input, askerId: asker, account, key } = asked;
  return {
    version: 2,
    // Only the JSON form is stored and sent.
    request: { route, input: toPlainJson(input) },
    first: (read.first ?? []).map((request) => ({ ...request, input: toPlainJson(request.input) })),
    asker,
    account,
    key,
    listing: listing ? toBoundListing(listing) : null,
    photos: read.photos ?? [],
    quote: quote ? toConsistentQuote(quote) : null,
    feeNotice: feeNotice ?? null,
    context: toRecordOrEmpty(toPlainJson(read.context ?? {})),
  };
};

/** Returns an unavailable quote if the amounts contradict each other. */
const toConsistentQuote = ({
  state,
  currency = null,
  totalMinor = null,
  lines,
}: NonNullable<GatheredFacts['quote']>): Quote => {
  const amounts = (lines ?? []).map(({ name, amountMinor }) => ({ name, amountMinor }));
  const sum = amounts.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const isSound =
    state === 'fee'
      ? totalMinor !== null &&
        totalMinor >= 0 &&
        /^[A-Z]{3}$/.test(currency ?? '') &&
        (amounts.length === 0 || sum === totalMinor)
      : state === 'free' && (totalMinor ?? 0) === 0 && sum === 0;
  return isSound
    ? { state, currency, totalMinor, lines: amounts }
    : { state: 'unavailable', currency: null, totalMinor: null, lines: [] };
};

const toPlainJson = (value: unknown): unknown => JSON.parse(toCanonicalJson(value));

/** Returns the digest of everything that an approval is bound to. */
export const computeSubjectDigest = (subject: StoredSubject): string => hashCanonicalJson(subject);

/** Returns the digest of an asker's request; the state of the listing does not affect it. */
export const computeRequestDigest = ({ route, input, account, askerId }: Omit<SubjectRequest, 'key'>): string =>
  hashCanonicalJson([route, input, account, askerId]);

/** Returns the name of a plain field, or JSON for any other path, so that different paths have different keys. */
export const createPathKey = (path: readonly string[]): string => {
  const [name = ''] = path;
  return path.length === 1 && /^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(path);
};

export type Leaf = { path: string[]; value: unknown };

const isNonEmptyContainer = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.keys(value).length > 0;

/** An empty object or list is a leaf, because it can erase a value. */
export const listJsonLeaves = (value: unknown, path: string[] = []): Leaf[] => {
  if (isNonEmptyContainer(value))
    return Object.entries(value).flatMap(([name, part]) => listJsonLeaves(part, [...path, name]));
  return value === undefined ? [] : [{ path, value }];
};

export type Difference = { path: string[]; before: unknown; after: unknown };

/** Treats null and undefined as equal. `path` is the start of each returned path. */
export const listJsonDifferences = (before: unknown, after: unknown, path: string[] = []): Difference[] => {
  const indexLeavesByPath = (value: unknown) =>
    new Map(listJsonLeaves(value, path).map((leaf) => [JSON.stringify(leaf.path), leaf]));
  const [was, is] = [indexLeavesByPath(before), indexLeavesByPath(after)];
  return [...new Map([...was, ...is])].flatMap(([key, leaf]) => {
    const difference = { path: leaf.path, before: was.get(key)?.value, after: is.get(key)?.value };
    return toCanonicalJson(difference.before ?? null) === toCanonicalJson(difference.after ?? null) ? [] : [difference];
  });
};

/** A lower quantity after a sale does not matter if the request ends the listing or revises other fields. */
const isQuantityIrrelevant = ({ request: { route, input } }: Subject): boolean => {
  const act = findRouteAct(route);
  if (act === 'end') return true;
  return act === 'revise' && !('quantity' in toRecordOrEmpty(getRequestBody(input)));
};

const quantityPaths = /^(listing|context\.channels\.\d+\.before)\.quantity$/;

const isQuantityLoweredBySale = ({ path, before, after }: Difference, subject: Subject): boolean =>
  quantityPaths.test(path.join('.')) &&
  typeof before === 'number' &&
  typeof after === 'number' &&
  after < before &&
  isQuantityIrrelevant(subject);

/**
 * Returns whether the fee notice was accepted after the prompt was shown. The approval then still covers the request,
 * which does less than the prompt shows.
 */
const wasFeeNoticeAccepted = ({ path }: Difference, before: Subject, after: Subject): boolean =>
  (path[0] === 'first' || path.join('.') === 'feeNotice.agreed') &&
  before.feeNotice?.agreed === false &&
  after.feeNotice?.agreed === true &&
  after.feeNotice.site === before.feeNotice.site &&
  after.first.length === 0;

/** Field names with these words refer to money, a quantity or a condition of the sale. */
const saleConditionWords: ReadonlySet<string> = new Set(
  `amount available availability bid bids buyer cent cents charge charges commission cost costs credit currency day days delivery deposit
   discount duty fee fees handling hold insurance limit lot major margin max maximum min minimum minor money offer offers pack pay
   payment payout percent percentage pieces postage price prices pricing profit qty quantities quantity rate rates rebate
   refund remaining reserve return returns revenue royalty sale sales sell seller ship shipping size stock sum surcharge tariff tax taxes term terms
   total totals unit units value vat warranty weight`.split(/\s+/),
);
const splitNameWords = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Fields about the conditions of a sale always stay bound to the approval. */
const isSaleTermChange = ({ path }: Difference): boolean =>
  path.some(
    (name) =>
      /cents|minor|price|fee|cost|quantity/i.test(name) ||
      splitNameWords(name).some((word) => saleConditionWords.has(word)),
  );

const isTimeText = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
const isCountOrTime = (value: unknown): boolean => typeof value === 'number' || isTimeText(value);

/** Only a number or a time can change by itself, and only to another number or time. */
const canChangeByItself = (difference: Difference): boolean =>
  isCountOrTime(difference.before) && isCountOrTime(difference.after) && !isSaleTermChange(difference);

const getListingFieldPath = ({ path }: Difference): string => path.slice(1).join('.');

/** Returns whether the service changes this listing field by itself. */
export const isVolatileDifference = (difference: Difference, moving: ReadonlySet<string>): boolean =>
  difference.path[0] === 'listing' && moving.has(getListingFieldPath(difference)) && canChangeByItself(difference);

/** Returns the differences that an approval of `before` does not cover. Fields in `moving` do not count. */
export const listUnboundDifferences = (before: Subject, after: Subject, moving: ReadonlySet<string>): Difference[] =>
  listJsonDifferences(before, after).filter(
    (difference) =>
      !isQuantityLoweredBySale(difference, before) &&
      !wasFeeNoticeAccepted(difference, before, after) &&
      !isVolatileDifference(difference, moving),
  );

/** Returns whether an approval of `before` also covers `after`. A subject of version 1 covers nothing. */
export const coversFreshSubject = (before: StoredSubject, after: Subject, moving: ReadonlySet<string>): boolean =>
  before.version === 2 && listUnboundDifferences(before, after, moving).length === 0;

/** The interface documents these fields, so they always stay bound to the approval. */
const documentedFields: ReadonlySet<string> = new Set(Object.keys(listingShape.shape));

export type VolatileFields = ReturnType<typeof createVolatileFields>;

/** After two changes that no asker caused, an undocumented field is no longer bound to approvals. */
export const createVolatileFields = (table: FieldMovesTable) => {
  return {
    listMoving: (account: string): ReadonlySet<string> => new Set(table.moving(account)),
    /** A field that an asker ever wrote always stays bound to approvals. */
    noteWritten: (account: string, body: unknown): void => {
      if (body === null || typeof body !== 'object') return;
      for (const field of Object.keys(body)) {
        if (documentedFields.has(field)) continue;
        table.noteWrite(account, field);
      }
    },
    /** Returns the fields that are no longer bound to approvals. No local asker may have caused the differences. */
    noteDifferences: (account: string, differences: readonly Difference[]): string[] => {
      const isUndocumentedUnwrittenField = ({ path: [part, field = ''] }: Difference): boolean =>
        part === 'listing' && !documentedFields.has(field) && !table.isWritten(account, field);
      if (!differences.every((difference) => isUndocumentedUnwrittenField(difference) && canChangeByItself(difference)))
        return [];
      return differences.map(getListingFieldPath).filter((field) => {
        if (table.see(account, field) < 2) return false;
        table.move(account, field);
        return true;
      });
    },
  };
};
