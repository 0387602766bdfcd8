import type { Changed, Clock } from '../base/ports.ts';
import { compareNaturally } from '../../i18n/naturalOrder.ts';
import type { ListingRow } from '../storage/tables/listings/listingSearch.ts';
import type { SalesTable, SoldListing } from '../storage/tables/salesTable.ts';

/** A listing of which something sold: to find, pack and send. */
export type PickRow = {
  listingId: string;
  place: string | null;
  sku: string | null;
  title: string | null;
  photoUrl: string | null;
  /** Untrusted text; null if unknown. */
  buyer: string | null;
  /** In ms since 1970; null if unknown. */
  soldAt: number | null;
  sentAt: number | null;
};

/** `undated` counts the sold listings that are left out because it is unknown when they sold. */
export type PickListView = { rows: PickRow[]; undated: number };

/** What a notification of the service says about a sale. */
type SaleNotice = { kind: string | null; listingId: string | null; buyer: string | null; at: number | null };

type PickListContext = {
  sales: SalesTable;
  listings: { rows: (listingIds: readonly string[]) => ListingRow[] };
  readNotices: () => readonly SaleNotice[];
  clock: Clock;
  changed: Changed;
  account: () => string;
};

const hourMs = 3_600_000;
/** Ticked lines stay this long, so that a wrong tick can be taken back. */
const keepSentMs = 12 * hourMs;
/** Older sales were most likely sent before the companion was used. */
const maxUnseenAgeMs = 30 * 24 * hourMs;

/** Things without a value come last. */
const compareOptional = (a: string | null, b: string | null): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareNaturally(a, b);
};

const comparePickRows = (a: PickRow, b: PickRow): number =>
  compareOptional(a.place, b.place) || compareOptional(a.sku, b.sku) || compareOptional(a.title, b.title);

type Period = { sentSince: number; soldSince: number };
type OpenSale = SoldListing & { buyer: string | null };

/** Returns the newest sale notice of each listing. */
const mapSaleNotices = ({ readNotices }: PickListContext): ReadonlyMap<string, SaleNotice> => {
  const newest = new Map<string, SaleNotice>();
  for (const notice of readNotices()) {
    if (notice.kind !== 'sale' || notice.listingId === null) continue;
    const before = newest.get(notice.listingId);
    if (before === undefined || (notice.at ?? 0) > (before.at ?? 0)) newest.set(notice.listingId, notice);
  }
  return newest;
};

/**
 * Returns the sales of listings that still have pieces. Only the sale notices of these listings show that a parcel must
 * be sent.
 */
const listPartlySold = (
  { sales, listings, account }: PickListContext,
  notices: ReadonlyMap<string, SaleNotice>,
  { sentSince, soldSince }: Period,
): OpenSale[] => {
  const rows = listings.rows([...notices.keys()]).filter(({ status }) => status === 'published' || status === 'ended');
  const sent = sales.mapSent(
    account(),
    rows.map(({ listingId }) => listingId),
  );
  return rows.flatMap(({ listingId, liveAt }): OpenSale[] => {
    const { at: soldAt = null, buyer = null } = notices.get(listingId) ?? {};
    const lastSentAt = sent.get(listingId) ?? null;
    // A parcel that was sent before the newest sale belongs to an earlier one.
    const sentAt = soldAt !== null && lastSentAt !== null && lastSentAt < soldAt ? null : lastSentAt;
    const isOld = sentAt === null ? soldAt === null || soldAt < soldSince : sentAt < sentSince;
    const isOfEarlierRun = soldAt !== null && liveAt !== null && liveAt > soldAt;
    return isOld || isOfEarlierRun ? [] : [{ listingId, soldAt, sentAt, buyer }];
  });
};

const readPickList = (context: PickListContext): PickListView => {
  const { sales, listings, clock, account } = context;
  const now = clock.now();
  const period = { sentSince: now - keepSentMs, soldSince: now - maxUnseenAgeMs };
  const notices = mapSaleNotices(context);
  const dated = [...notices].flatMap(([listingId, { at }]) => (at === null ? [] : listingId));
  const sold = sales.list(account(), { ...period, dated }).flatMap((one): OpenSale[] => {
    const notice = notices.get(one.listingId);
    const soldAt = one.soldAt ?? notice?.at ?? null;
    const isOld = one.soldAt === null && one.sentAt === null && soldAt !== null && soldAt < period.soldSince;
    return isOld ? [] : [{ ...one, soldAt, buyer: notice?.buyer ?? null }];
  });
  const partly = listPartlySold(context, notices, period);
  const byId = new Map([...sold, ...partly].map((one) => [one.listingId, one]));
  const rows = listings.rows([...byId.keys()]).flatMap(({ listingId, title, photoUrl, shelf }): PickRow[] => {
    const one = byId.get(listingId);
    return one ? [{ ...one, title, photoUrl, place: shelf?.place ?? null, sku: shelf?.sku ?? null }] : [];
  });
  return { rows: rows.toSorted(comparePickRows), undated: sales.countUndated(account(), dated) };
};

export type PickList = ReturnType<typeof createPickList>;

/** Creates the pick list: the sold listings to send, in the order in which the person walks along the shelf. */
export const createPickList = (context: PickListContext) => ({
  read: (): PickListView => readPickList(context),
  /** Ticks sold listings as sent, or takes the tick back. */
  markSent: (listingIds: readonly string[], sent: boolean): void => {
    context.sales.markSent(context.account(), listingIds, sent ? context.clock.now() : null);
    context.changed('listings');
  },
});
