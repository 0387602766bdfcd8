import { findListingCurrency } from '../../contract/index.ts';
import { formatEnglishMessage } from '../../i18n/english.ts';
import type { Message } from '../../i18n/message.ts';
import type { PromptMoney } from '../storage/tables/approvalRecord.ts';
import type { WarningFactsRow, WarningFactsTable } from '../storage/tables/listings/warningFactsTable.ts';
import type { FindDuplicates } from './duplicates.ts';
import {
  createPriceKey,
  createTitleKey,
  describeListingWarning,
  findListingWarnings,
  type ListingWarningCode,
  type WarningFacts,
  type WarningGroup,
} from './listingWarnings.ts';

export type ListingWarning = { code: ListingWarningCode; sentence: string; says: Message };

type Fee = Pick<PromptMoney, 'state' | 'totalMinor' | 'currency'>;

export type WarningRequest = {
  listingIds: readonly string[];
  /** Counts only the listings that this assistant created; null counts all. */
  makerId: string | null;
  /** The listings among which a price is compared: these listings, or all that are not live yet. */
  prices: 'these' | 'all';
  fees?: ReadonlyMap<string, Fee>;
};

/** Returns the warnings by listing. Listings without warnings, and listings that were live, are omitted. */
export type ReadListingWarnings = (request: WarningRequest) => ReadonlyMap<string, ListingWarning[]>;

const findFeeMinor = ({ currency, site }: WarningFactsRow, fee: Fee | undefined): number | null =>
  fee?.state === 'fee' && fee.currency === findListingCurrency({ currency, marketplaceId: site })
    ? fee.totalMinor
    : null;

const toWarningFacts = (row: WarningFactsRow, fee: Fee | undefined, isLiveAlready: boolean): WarningFacts => ({
  isLiveAlready,
  title: row.title,
  writtenTitle: row.written_title,
  description: row.description,
  categoryName: row.category,
  priceCents: row.price,
  site: row.site,
  isSpecificMissing: (row.blockers ?? []).some(({ field }) => field?.startsWith('itemSpecifics') === true),
  isFirstPhotoBlurred: row.photo_warnings?.includes('blurred') === true,
  feeMinor: findFeeMinor(row, fee),
});

const sumCounts = (counts: readonly (readonly [key: string, count: number])[]): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
};

/** Counts titles and prices once for all rows, so that no row reads the other listings. */
const countWarningGroup = (
  table: WarningFactsTable,
  account: string,
  rows: readonly WarningFactsRow[],
  { makerId, prices: among }: WarningRequest,
): WarningGroup => {
  const titles = table.countTitles({ account, makerId }, [...new Set(rows.flatMap(({ title }) => title ?? []))]);
  const priced =
    among === 'all'
      ? table.countPrices({ account, makerId })
      : rows.flatMap(({ price, site }) => (price === null ? [] : [{ price, site, count: 1 }]));
  return {
    size: priced.reduce((sum, { count }) => sum + count, 0),
    titles: sumCounts(titles.map(({ title, count }) => [createTitleKey(title), count])),
    prices: sumCounts(priced.map(({ price, site, count }) => [createPriceKey(price, site), count])),
  };
};

export const createWarningReader =
  (table: WarningFactsTable, findDuplicates: FindDuplicates, account: () => string): ReadListingWarnings =>
  (request) => {
    const rows = request.listingIds.length === 0 ? [] : table.facts(account(), request.listingIds);
    if (rows.length === 0) return new Map();
    const group = countWarningGroup(table, account(), rows, request);
    return new Map(
      rows.flatMap((row) => {
        const isLiveAlready = findDuplicates({ listingId: row.listing_id }, request.makerId).length > 0;
        const facts = toWarningFacts(row, request.fees?.get(row.listing_id), isLiveAlready);
        const found = findListingWarnings(facts, group);
        const warnings = found.map((warning) => {
          const says = describeListingWarning(warning);
          return { code: warning.code, sentence: formatEnglishMessage(says), says };
        });
        return warnings.length === 0 ? [] : [[row.listing_id, warnings] as const];
      }),
    );
  };
