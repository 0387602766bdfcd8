import type { Changed, Clock } from '../base/ports.ts';
import { compareNaturally } from '../../i18n/naturalOrder.ts';
import type { ListingRow } from '../storage/tables/listings/listingSearch.ts';
import type { SalesTable } from '../storage/tables/salesTable.ts';

/** A sold listing to find, pack and send. */
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

const readPickList = ({ sales, listings, readNotices, clock, account }: PickListContext): PickListView => {
  const now = clock.now();
  const soldSince = now - maxUnseenAgeMs;
  const notices = new Map(
    readNotices().flatMap((notice) =>
      notice.kind === 'sale' && notice.listingId !== null ? [[notice.listingId, notice] as const] : [],
    ),
  );
  const sold = sales.list(account(), { sentSince: now - keepSentMs, soldSince }).flatMap((one) => {
    const notice = notices.get(one.listingId);
    const soldAt = one.soldAt ?? notice?.at ?? null;
    const isOld = one.soldAt === null && one.sentAt === null && soldAt !== null && soldAt < soldSince;
    return isOld ? [] : [{ ...one, soldAt, buyer: notice?.buyer ?? null }];
  });
  const dated = sold.filter(({ soldAt, sentAt }) => soldAt !== null || sentAt !== null);
  const byId = new Map(dated.map((one) => [one.listingId, one]));
  const rows = listings.rows([...byId.keys()]).flatMap(({ listingId, title, photoUrl, shelf }): PickRow[] => {
    const one = byId.get(listingId);
    return one ? [{ ...one, title, photoUrl, place: shelf?.place ?? null, sku: shelf?.sku ?? null }] : [];
  });
  return { rows: rows.toSorted(comparePickRows), undated: sold.length - dated.length };
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
