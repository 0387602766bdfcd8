import { setImmediate as immediate } from 'node:timers/promises';

type NotificationRow = { notifId: string; kind: string | null; listingId: string | null; read: boolean | null };

/** A listing with one of these statuses was reviewed; null means that it was deleted. */
const reviewedStatuses: readonly (string | null)[] = ['published', 'ended', 'sold', null];

/** Returns whether the listing's status makes an unread notification obsolete. */
export const isNoticeHandled = (
  { kind, read }: Pick<NotificationRow, 'kind' | 'read'>,
  status: string | null,
): boolean => {
  if (read !== false) return false;
  if (kind === 'listing_ready') return reviewedStatuses.includes(status);
  return kind === 'listing_failed' && status !== 'failed';
};

type Context = {
  rows: () => readonly NotificationRow[];
  /** Returns a value that changes whenever the rows change. */
  mark: () => string;
  statusOf: (listingId: string) => string | null;
  markRead: (notifId: string) => Promise<void>;
};

/** Marks notifications as read after the person has handled them elsewhere, for example on a phone. */
export type HandledNoticeMarker = {
  /** Called after a listing is read or deleted. The status is null if the listing was deleted. */
  follow: (listingId: string, status: string | null) => void;
  /** Called after the notifications are read. */
  followAll: () => void;
};

export const createHandledNoticeMarker = ({ rows, mark, statusOf, markRead }: Context): HandledNoticeMarker => {
  // A sync reads thousands of listings, so the ids of listings with unread notifications are cached.
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
    // Waits until the caller has stored the whole page of listings that it has read.
    await immediate();
    // Only one request is sent at a time, because many listings might have been published together.
    for (const { notifId } of own) await markRead(notifId).finally(() => inFlight.delete(notifId));
  };
  const markMatchingNoticesRead = (isDone: (row: NotificationRow) => boolean): void => {
    const done = rows().filter(isDone);
    // A failed request is repeated after the next read.
    if (done.length > 0) void markNoticesRead(done).catch(() => undefined);
  };
  return {
    follow: (listingId, status) => {
      if (hasUnreadNotice(listingId))
        markMatchingNoticesRead((row) => row.listingId === listingId && isNoticeHandled(row, status));
    },
    followAll: () =>
      markMatchingNoticesRead((row) => {
        // The status of a listing that is not stored locally is unknown.
        const status = row.listingId === null ? null : statusOf(row.listingId);
        return status !== null && isNoticeHandled(row, status);
      }),
  };
};
