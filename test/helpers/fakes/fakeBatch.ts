import type { Listing, RawInput } from '../../../src/contract/index.ts';
import type { BatchRow, BatchView } from '../../../src/core/approvals/batches.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import { describeListingWarning, type FoundWarning } from '../../../src/core/listings/listingWarnings.ts';
import type { ListingWarning } from '../../../src/core/listings/warningReader.ts';
import { formatEnglishMessage } from '../../../src/i18n/english.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { createBoundPhotos, createApproval, own, createPrompt, publishPrompt, createQuote } from './fakePrompts.ts';
import { createReadyItems } from './fakeReadyItems.ts';

/** The data for a row of a batch. */
export type Listed = Pick<ItemView, 'listingId' | 'title' | 'name'>;
export type FakeRoute = 'publishListing' | 'reviseListing' | 'endListing' | 'deleteListing';

const photos = ['fox', 'camera', 'book', 'shoes'];
/** Some publishes are free, and some are in euros. */
const quotes = [['USD'], ['USD'], ['EUR'], ['EUR', 'free'], ['USD']] as const;
const problem = {
  code: 'MISSING_PACKAGE_WEIGHT',
  sentence: 'Shipping needs the packed weight. Enter it, then publish again.',
};

const createRowPrompt = (listing: Listing, at: number, route: FakeRoute) => {
  const item = photos[at % 4] ?? 'fox';
  const [currency, state = 'fee'] = quotes[at % 5] ?? ['USD'];
  const params = { listingId: listing.listingId };
  const input: RawInput = route === 'reviseListing' ? { params, body: { price: 3_149 } } : { params };
  if (route !== 'publishListing') return createPrompt(route, input, { listing, photos: createBoundPhotos(item, 3) });
  const marketplaceId = currency === 'EUR' ? 'MKT_DE' : 'MKT_US';
  const quote = createQuote(state === 'free' ? 0 : 35, currency, state);
  return publishPrompt({ ...listing, marketplaceId }, { item, count: 3, quote, agreed: currency === 'USD' });
};

const createRow = ({ listingId, title, name }: Listed, at: number, route: FakeRoute): BatchRow => {
  const row = { listingId: listingId ?? '', route, title: title ?? name };
  if (at % 10 === 9 && route === 'publishListing') return { ...row, approval: null, problem, warnings: [] };
  const listing: Listing = {
    ...{ listingId: row.listingId, title, status: route === 'publishListing' ? 'pending_review' : 'published' },
    ...{ price: 3_499, condition: 'USED_GOOD', marketplaceId: 'MKT_US', itemSpecifics: { Material: 'Ceramic' } },
  };
  const asked = { route, placeSeq: Date.now(), askedAt: Date.now(), ...own };
  return {
    ...row,
    problem: null,
    warnings: [],
    approval: createApproval(`b${at}`, createRowPrompt(listing, at, route), asked),
  };
};

/** Creates a batch of publishes, or of the given routes. */
export const makeBatch = (
  items: readonly Listed[],
  more: Partial<BatchView> = {},
  routes: readonly FakeRoute[] = [],
): BatchView => ({
  ...{ batchId: 'bat_1', by: { kind: 'person' }, reason: null, nameLike: null, interrupted: 0 },
  rows: items.map((item, at) => createRow(item, at, routes[at] ?? 'publishListing')),
  ...{ state: 'waiting', heldUntil: null, placeSeq: Date.now(), askedAt: Date.now(), shownAt: Date.now(), ...more },
});

const toWarning = (found: FoundWarning): ListingWarning => {
  const says = describeListingWarning(found);
  return { code: found.code, sentence: formatEnglishMessage(says), says };
};

const rowWarnings: Readonly<Record<number, FoundWarning[]>> = {
  2: [{ code: 'TITLE_SHORT' }, { code: 'CATEGORY_GENERAL' }],
  5: [{ code: 'TITLE_SHARED', others: 5 }, { code: 'PRICE_SHARED', others: 11 }, { code: 'DESCRIPTION_STALE' }],
};

/** Marks the third and the sixth of every eight publishes as weak. */
export const markWeakRows = (batch: BatchView): BatchView => ({
  ...batch,
  rows: batch.rows.map((row, at) =>
    row.approval ? { ...row, warnings: (rowWarnings[at % 8] ?? []).map(toWarning) } : row,
  ),
});

const garage: Asker = { kind: 'assistant', assistantId: 'ast_1', name: 'Garage helper' };

/** The same, requested by an assistant. */
export const makeAssistantBatch = (
  count: number,
  route: FakeRoute = 'publishListing',
  batchId = 'bat_a1',
): BatchView => {
  const reason = 'These are the ones from the red box; you wanted them out before Sunday.';
  const routes = Array.from({ length: count }, () => route);
  const batch = makeBatch(createReadyItems(count), { batchId, by: garage, reason }, routes);
  return {
    ...batch,
    rows: batch.rows.map(({ approval, ...row }) => ({
      ...row,
      approval: approval && { ...approval, approvalId: `${batchId}_${approval.approvalId}`, by: garage },
    })),
  };
};

/** The person's batch with every kind of row: publishes, one with an unknown fee, a revise, ends and a delete. */
export const makeMixedBatch = (more: Partial<BatchView> = {}): BatchView => {
  const publish = Array.from({ length: 4 }, () => 'publishListing' as const);
  const others = ['reviseListing', 'endListing', 'endListing', 'deleteListing'] as const;
  const batch = makeBatch(createReadyItems(8), { batchId: 'bat_m1', ...more }, [...publish, ...others]);
  const money = batch.rows[1]?.approval?.prompt.money;
  if (money) Object.assign(money, { state: 'unavailable', currency: null, totalMinor: null, lines: [] });
  return batch;
};
