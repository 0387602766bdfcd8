import { setImmediate as immediate } from 'node:timers/promises';

/** What is looked at of a notification. */
type Notice = { notifId: string; kind: string | null; listingId: string | null; read: boolean | null };

/** Where a listing is once it was looked over; null for one that is gone. */
const lookedOver: readonly (string | null)[] = ['published', 'ended', 'sold', null];

/**
 * Whether what an unread notification asks for is done, by the status of its listing now: a listing that is ready was
 * published or discarded, one that was not written is no longer failed. Any other is read by whoever opens it.
 */
export const isHandled = ({ kind, read }: Pick<Notice, 'kind' | 'read'>, status: string | null): boolean => {
  if (read !== false) return false;
  if (kind === 'listing_ready') return lookedOver.includes(status);
  return kind === 'listing_failed' && status !== 'failed';
};

type Context = {
  /** The notifications as they were last read. */
  rows: () => readonly Notice[];
  /** What tells one reading from another. */
  mark: () => string;
  statusOf: (listingId: string) => string | null;
  /** Marks one as read, here and at the service. */
  markRead: (notifId: string) => Promise<void>;
};

/** Marks notifications as read when what they ask for was done elsewhere: in another window, by an assistant, on a phone. */
export type HandledNotices = {
  /** A listing was read, or is gone; its status, null where it is gone. */
  follow: (listingId: string, status: string | null) => void;
  /** The notifications were read anew. */
  followAll: () => void;
};

export const createHandledNotices = ({ rows, mark, statusOf, markRead }: Context): HandledNotices => {
  // Thousands of listings are read in one go, and few of them have an unread notification.
  let unread: { mark: string; listingIds: ReadonlySet<string | null> } | null = null;
  const under = new Set<string>();
  const isUnread = (listingId: string): boolean => {
    if (unread?.mark !== mark())
      unread = {
        mark: mark(),
        listingIds: new Set(rows().flatMap((row) => (row.read === false ? row.listingId : []))),
      };
    return unread.listingIds.has(listingId);
  };
  const settle = async (done: readonly Notice[]): Promise<void> => {
    const own = done.filter(({ notifId }) => !under.has(notifId));
    for (const { notifId } of own) under.add(notifId);
    // What was read is kept first, with all of its page.
    await immediate();
    // One after the other: many published together are no reason for many requests at a time.
    for (const { notifId } of own) await markRead(notifId).finally(() => under.delete(notifId));
  };
  const settleWhere = (isDone: (row: Notice) => boolean): void => {
    const done = rows().filter(isDone);
    // What could not be marked is marked with the next reading.
    if (done.length > 0) void settle(done).catch(() => undefined);
  };
  return {
    follow: (listingId, status) => {
      if (isUnread(listingId)) settleWhere((row) => row.listingId === listingId && isHandled(row, status));
    },
    followAll: () =>
      settleWhere((row) => {
        // Of a listing that is not known here nobody can say what became of it.
        const status = row.listingId === null ? null : statusOf(row.listingId);
        return status !== null && isHandled(row, status);
      }),
  };
};
