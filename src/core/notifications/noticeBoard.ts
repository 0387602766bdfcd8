import * as z from 'zod';
import { type ProblemView, toProblemView } from '../base/problem.ts';
import { parseRouteInput, type InputOf, type RouteName } from '../../contract/index.ts';
import { createHandledNoticeMarker } from './handledNotices.ts';
import type { Gate } from '../base/gate.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { Changed, Clock, Log } from '../base/ports.ts';
import type { Connection } from '../service/connection.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { ResponseCache } from '../service/throttle/responseCache.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { person, type Perform } from '../base/request.ts';

const notificationShape = z.object({
  notifId: z.string(),
  /** The kind that the service returns, such as `sale`. */
  kind: z.string().nullable(),
  /** Untrusted text, because it can contain names that other people chose. */
  text: z.string(),
  listingId: z.string().nullable(),
  read: z.boolean().nullable(),
  viewed: z.boolean().nullable(),
  /** The revenue of a sale in minor units; null if the service does not return it. */
  amount: z.object({ minor: z.int(), currency: z.string() }).nullable().default(null),
  /** Untrusted text; null if the service does not name the buyer of a sale. */
  buyer: z.string().nullable().default(null),
  /** In ms since 1970; null if the service does not return it. */
  at: z.int().nullable(),
});
export type NotificationView = z.infer<typeof notificationShape>;

/** `askedAt` is the time of the last request, `readAt` of the last success; both in ms since 1970. */
const keptNotifications = z.object({
  askedAt: z.int().nullable(),
  readAt: z.int().nullable(),
  rows: z.array(notificationShape),
});
type KeptNotifications = z.infer<typeof keptNotifications>;

/** `fresh` is the number of new notifications. */
export type NotificationsView = Pick<KeptNotifications, 'readAt' | 'rows'> & {
  fresh: number;
  problem: ProblemView | null;
};

/** The interface does not document these fields, so invalid values are ignored. */
const serviceNotification = z.looseObject({
  notifId: z.string(),
  kind: z.string().nullish().catch(null),
  text: z.string().nullish().catch(null),
  listingId: z.string().nullish().catch(null),
  read: z.boolean().nullish().catch(null),
  viewed: z.boolean().nullish().catch(null),
  amountMinor: z.int().nullish().catch(null),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullish()
    .catch(null),
  buyer: z.string().max(200).nullish().catch(null),
  createdAt: z.string().nullish().catch(null),
});
const notificationsPage = z.looseObject({ notifications: z.array(z.unknown()).default([]) });

const parseIsoTime = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
};

const toNotificationView = ({
  notifId,
  kind,
  text,
  listingId,
  read,
  viewed,
  amountMinor,
  currency,
  buyer,
  createdAt,
}: z.infer<typeof serviceNotification>): NotificationView => ({
  notifId,
  kind: kind ?? null,
  text: text ?? '',
  listingId: listingId ?? null,
  read: read ?? null,
  viewed: viewed ?? null,
  amount: typeof amountMinor === 'number' && currency ? { minor: amountMinor, currency } : null,
  buyer: buyer ?? null,
  at: parseIsoTime(createdAt),
});

/** Returns the valid notifications of an answer in the service's order. */
export const parseNotificationsAnswer = (answer: unknown): NotificationView[] =>
  notificationsPage.parse(answer).notifications.flatMap((value) => {
    const parsed = serviceNotification.safeParse(value);
    return parsed.success ? [toNotificationView(parsed.data)] : [];
  });

/**
 * Returns whether a notification is new. It is not new if it was read, or if the service returns neither `read` nor
 * `viewed`.
 */
export const isNotificationFresh = ({ read, viewed }: NotificationView): boolean =>
  read !== true && (viewed ?? read) === false;

/** Limits how many listings are read again after one read of the notifications. */
const maxReread = 10;
const noNotifications: KeptNotifications = { askedAt: null, readAt: null, rows: [] };

type NoticeBoardContext = {
  clock: Clock;
  ages: StoredAgeTracker;
  pacing: Pacing;
  settings: SettingsTable;
  listings: ListingsTable;
  connection: Connection;
  answers: ResponseCache;
  gate: Gate;
  changed: Changed;
  log: Log;
  perform: Perform;
};

export type NotificationService = ReturnType<typeof createNotificationService>;

/** Stores the last read of each account, so that a restart neither reads too early nor notifies twice. */
const createNotificationStore = ({ settings, connection, changed, ages }: NoticeBoardContext) => {
  const getStoreSettingName = (): string => `notifications ${connection.account()}`;
  const read = (): KeptNotifications => settings.read(getStoreSettingName(), keptNotifications) ?? noNotifications;
  let changes = 0;
  return {
    read,
    /** Returns the ms since the last request; Infinity if there was no request. */
    askedAgoMs: (): number => {
      const { askedAt } = read();
      return askedAt === null ? Infinity : ages.ageMs(getStoreSettingName(), askedAt);
    },
    /** Returns a value that differs after every change and for every account. */
    mark: (): string => `${changes} ${getStoreSettingName()}`,
    change: (change: Partial<KeptNotifications>, askedAgoMs?: number): void => {
      settings.write(getStoreSettingName(), { ...read(), ...change });
      if (askedAgoMs !== undefined) ages.note(getStoreSettingName(), askedAgoMs);
      changes += 1;
      changed('notifications');
    },
  };
};
type NotificationStore = ReturnType<typeof createNotificationStore>;

/** Only background requests have a signal, so a request with a signal is sent as unattended. */
const sendBoardRequest = async <N extends RouteName>(
  { perform }: NoticeBoardContext,
  route: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<unknown> => {
  const outcome = await perform({ by: person, route, input, ...(signal && { signal, unattended: true }) });
  return outcome.state === 'done' ? outcome.answer : null;
};

const fetchLatestNotifications = async (
  parts: NoticeBoardContext,
  signal: AbortSignal,
): Promise<{ answer: unknown; ageMs: number }> => {
  const parsed = parseRouteInput('listNotifications', {});
  const known = parsed.ok ? parts.answers.cachedAnswer('listNotifications', parsed.input) : null;
  if (known) return { answer: known.answer.answer, ageMs: known.ageMs };
  return { answer: await sendBoardRequest(parts, 'listNotifications', {}, signal), ageMs: 0 };
};

/** Reads live listings that have a new notification, because they might have been sold. */
const rereadLiveListings = async (
  parts: NoticeBoardContext,
  rows: readonly NotificationView[],
  signal: AbortSignal,
): Promise<void> => {
  const { listings, connection } = parts;
  const isListingLive = (listingId: string): boolean =>
    listings.read(connection.account(), listingId)?.status === 'published';
  const listingIds = new Set(rows.flatMap(({ listingId }) => listingId ?? []));
  for (const listingId of [...listingIds].filter(isListingLive).slice(0, maxReread))
    await sendBoardRequest(parts, 'readListing', { params: { listingId } }, signal);
};

/** Calls `failed` with the problem, or with null after a success. Returns whether the read succeeded. */
const refreshNotifications = async (
  parts: NoticeBoardContext,
  kept: NotificationStore,
  failed: (problem: ProblemView | null) => void,
  signal: AbortSignal,
): Promise<boolean> => {
  const before = kept.read();
  const known = new Set(before.rows.map(({ notifId }) => notifId));
  try {
    kept.change({ askedAt: parts.clock.now() }, 0);
    const { answer, ageMs } = await fetchLatestNotifications(parts, signal);
    const rows = parseNotificationsAnswer(answer);
    failed(null);
    const now = parts.clock.now();
    const at = now - ageMs;
    kept.change({ askedAt: at, readAt: at, rows }, ageMs);
    const fresh = rows.filter(({ notifId }) => !known.has(notifId));
    // During the first read every row is new, although no listing has changed.
    if (before.readAt !== null) await rereadLiveListings(parts, fresh, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    const problem = toProblemView(error);
    failed(problem);
    parts.log('warn', 'the notifications could not be read', { code: problem.code });
    parts.changed('notifications');
    return false;
  }
};

const runReadSchedule = async (
  { pacing, connection, gate }: NoticeBoardContext,
  { kept, lookOnce }: { kept: NotificationStore; lookOnce: () => Promise<boolean> },
  atStart: boolean,
  signal: AbortSignal,
): Promise<void> => {
  if (atStart) await gate.sleepUntilNudge(pacing.getRandomDelayMs('startNotifications'), signal);
  let everyMs = pacing.getRandomDelayMs('notifications');
  while (!signal.aborted && connection.state() === 'connected') {
    const waitMs = everyMs - kept.askedAgoMs();
    if (waitMs > 0) await gate.sleepUntilNudge(waitMs, signal);
    else {
      await gate.waitWhilePaused(signal);
      // If the disk is full, the time of the last request is not stored, so wait for a whole interval.
      if (!(await lookOnce())) await gate.sleepUntilNudge(everyMs, signal);
      everyMs = pacing.getRandomDelayMs('notifications');
    }
  }
};

/** Reads the service's notifications at most once a minute while the companion is connected. */
export const createNotificationService = (parts: NoticeBoardContext) => {
  const kept = createNotificationStore(parts);
  let run: AbortController | null = null;
  let problem: ProblemView | null = null;
  const markNotificationRead = async (notifId: string, signal?: AbortSignal): Promise<void> => {
    await sendBoardRequest(parts, 'readNotification', { params: { notifId } }, signal);
    const toReadRow = (row: NotificationView): NotificationView =>
      row.notifId === notifId ? { ...row, read: true, viewed: true } : row;
    kept.change({ rows: kept.read().rows.map(toReadRow) });
  };
  const handled = createHandledNoticeMarker({
    rows: () => (parts.connection.who() ? kept.read().rows : []),
    mark: kept.mark,
    statusOf: (listingId) => parts.listings.statusOf(parts.connection.account(), listingId),
    markRead: async (notifId) => {
      if (run !== null) await markNotificationRead(notifId, run.signal);
    },
  });
  const refreshAndMarkHandled = async (signal: AbortSignal): Promise<boolean> => {
    const done = await refreshNotifications(parts, kept, setReadProblem, signal);
    if (done) handled.followAll();
    return done;
  };
  const setReadProblem = (why: ProblemView | null): void => void (problem = why);
  const stop = (): void => {
    run?.abort();
    run = null;
  };

  return {
    resume: (atStart: boolean): void => {
      stop();
      run = new AbortController();
      const { signal } = run;
      runReadSchedule(parts, { kept, lookOnce: () => refreshAndMarkHandled(signal) }, atStart, signal).catch(
        () => undefined,
      );
    },
    stop,
    list: (): NotificationsView => {
      const { readAt, rows } = parts.connection.who() ? kept.read() : noNotifications;
      return { readAt, rows, fresh: rows.filter(isNotificationFresh).length, problem };
    },
    /** Marks all notifications as viewed. */
    viewed: async (): Promise<void> => {
      if (!kept.read().rows.some(isNotificationFresh)) return;
      await sendBoardRequest(parts, 'markNotificationsViewed', { body: {} });
      kept.change({ rows: kept.read().rows.map((row) => ({ ...row, viewed: true })) });
    },
    /** Marks one notification as read. */
    read: (notifId: string): Promise<void> => markNotificationRead(notifId),
    /** Marks notifications as read if the new status of their listing makes them obsolete. */
    followListing: handled.follow,
  };
};
