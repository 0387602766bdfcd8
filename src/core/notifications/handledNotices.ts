import { setImmediate as immediate } from 'node:timers/promises';

/** The fields of a notification that this file reads. */
type NotificationRow = { notifId: string; kind: string | null; listingId: string | null; read: boolean | null };

/** Listing statuses after a review; null for a deleted listing. */
const reviewedStatuses: readonly (string | null)[] = ['published', 'ended', 'sold', null];

/**
 * Returns whether an unread notification is settled by the listing's current status: a ready listing was published
 * or discarded, or a failed one is no longer failed. Other kinds are never settled this way.
 */
export const isNoticeHandled = (
  { kind, read }: Pick<NotificationRow, 'kind' | 'read'>,
  status: string | null,
): boolean => {
  if (read !== false) return false;
  if (kind === 'listing_ready') return reviewedStatuses.includes(status);
  return kind === 'listing_failed' && status !== 'failed';
};

type Context = {
  /** The notifications as last read. */
  rows: () => readonly NotificationRow[];
  /** Changes whenever the rows change. */
  mark: () => string;
  statusOf: (listingId: string) => string | null;
  /** Marks a notification as read, locally and at the service. */
  markRead: (notifId: string) => Promise<void>;
};

/** Marks notifications as read whose task was done elsewhere: in another window, by an assistant, on a phone. */
export type HandledNotices = {
  /** Handles a listing that was read or deleted; status null means deleted. */
  follow: (listingId: string, status: string | null) => void;
  /** Handles a new read of the notifications. */
  followAll: () => void;
};

export const createHandledNotices = ({ rows, mark, statusOf, markRead }: Context): HandledNotices => {
  // Memoise the unread listings: a sync reads thousands of listings, few of them with an unread notification.
  let unread: { mark: string; listingIds: ReadonlySet<string | null> } | null = null;
  const inFlight = new Set<string>();
  const hasUnreadNotice = (listingId: string): boolean => {
    if (unread?.mark !== mark())
      unread = {
        mark: mark(),
        listingIds: new Set(rows().flatMap((row) => (row.read === false ? row.listingId : []))),
      };
    return unread.listingIds.has(listingId);
  };
  const markNoticesRead = async (done: readonly NotificationRow[]): Promise<void> => {
    const own = done.filter(({ notifId }) => !inFlight.has(notifId));
    for (const { notifId } of own) inFlight.add(notifId);
    // Let the caller store its whole page first.
    await immediate();
    // Send one request at a time, also if many listings were published together.
    for (const { notifId } of own) await markRead(notifId).finally(() => inFlight.delete(notifId));
  };
  const markReadWhere = (isDone: (row: NotificationRow) => boolean): void => {
    const done = rows().filter(isDone);
    // A failed update is retried after the next read.
    if (done.length > 0) void markNoticesRead(done).catch(() => undefined);
  };
  return {
    follow: (listingId, status) => {
      if (hasUnreadNotice(listingId))
        markReadWhere((row) => row.listingId === listingId && isNoticeHandled(row, status));
    },
    followAll: () =>
      markReadWhere((row) => {
        // The status of a listing that is not stored here is unknown.
        const status = row.listingId === null ? null : statusOf(row.listingId);
        return status !== null && isNoticeHandled(row, status);
      }),
  };
};
