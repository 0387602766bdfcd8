import type { ListingStatus } from '../../../contract/index.ts';
import type { Message } from '../../../i18n/message.ts';

/** A listing as a row of the table: what a person tells listings apart by. Money is in hundredths of its currency. */
export type ListingRow = {
  listingId: string;
  status: ListingStatus;
  title: string | null;
  site: string | null;
  currency: string | null;
  priceCents: number | null;
  quantity: number | null;
  condition: string | null;
  categoryName: string | null;
  sku: string | null;
  /** A path below the window's own origin. */
  photoUrl: string | null;
  pageUrl: string | null;
  /** When it was made and when its copy here last changed, in ms since 1970. */
  listedAt: number;
  changedAt: number;
};

export const listingSorts = ['newest', 'oldest', 'cheapest', 'dearest', 'title'] as const;
export type ListingSort = (typeof listingSorts)[number];

/** Which listings are asked for: all that meet every wish. Times are ms since 1970, both ends included. */
export type ListingFilter = {
  /** Words that the listing has, the last one as it is being typed; '' for all. */
  q: string;
  /** Empty: in any state. */
  statuses: readonly ListingStatus[];
  site: string | null;
  from: number | null;
  to: number | null;
  minCents: number | null;
  maxCents: number | null;
};

export type ListingPage = { total: number; rows: ListingRow[] };

/** How many listings there are of each state and site, and how far the reading of them all has come. */
export type ListingCounts = {
  all: number;
  statuses: Partial<Record<ListingStatus, number>>;
  sites: { site: string; count: number }[];
  sync: { running: boolean; read: number; doneAt: number | null; problem: string | null; says?: Message | undefined };
};
