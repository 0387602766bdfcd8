import * as z from 'zod';
import { type ProblemView, problemView } from '../base/problem.ts';
import { parseInput, type InputOf, type RouteName } from '../../contract/index.ts';
import { createHandledNotices } from './handledNotices.ts';
import type { Gate } from '../base/gate.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { Changed, Clock, Log } from '../base/ports.ts';
import type { Connection } from '../service/connection.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { ResponseCache } from '../service/throttle/responseCache.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { person, type Perform } from '../base/request.ts';

const view = z.object({
  notifId: z.string(),
  /** The service's kind, such as `sale`. */
  kind: z.string().nullable(),
  /** Untrusted text: it may contain names that other people chose. */
  text: z.string(),
  listingId: z.string().nullable(),
  /** Null if the service does not say. */
  read: z.boolean().nullable(),
  viewed: z.boolean().nullable(),
  /** The revenue of a sale, in the currency's minor unit; null if the service does not say. */
  amount: z.object({ minor: z.int(), currency: z.string() }).nullable().default(null),
  /** In ms since 1970; null if the service does not say. */
  at: z.int().nullable(),
});
/** A notification of the service, as windows show it. */
export type NotificationView = z.infer<typeof view>;

/** The stored notifications. Both times are in ms since 1970; null before the first request or read. */
const keptNotifications = z.object({
  askedAt: z.int().nullable(),
  readAt: z.int().nullable(),
  rows: z.array(view),
});
type KeptNotifications = z.infer<typeof keptNotifications>;

/** The notifications, and the number of new ones. */
export type NotificationsView = Pick<KeptNotifications, 'readAt' | 'rows'> & {
  fresh: number;
  /** Why the last read failed. */
  problem: ProblemView | null;
};

/** The interface does not document these fields: parse known ones, ignore invalid values. */
const row = z.looseObject({
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
  createdAt: z.string().nullish().catch(null),
});
const page = z.looseObject({ notifications: z.array(z.unknown()).default([]) });

const timeOf = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
};

const viewOf = ({
  notifId,
  kind,
  text,
  listingId,
  read,
  viewed,
  amountMinor,
  currency,
  createdAt,
}: z.infer<typeof row>): NotificationView => ({
  notifId,
  kind: kind ?? null,
  text: text ?? '',
  listingId: listingId ?? null,
  read: read ?? null,
  viewed: viewed ?? null,
  amount: typeof amountMinor === 'number' && currency ? { minor: amountMinor, currency } : null,
  at: timeOf(createdAt),
});

/** Parses the notifications in an answer, in the service's order. */
export const notificationsIn = (answer: unknown): NotificationView[] =>
  page.parse(answer).notifications.flatMap((value) => {
    const parsed = row.safeParse(value);
    return parsed.success ? [viewOf(parsed.data)] : [];
  });

/** Returns whether a notification is new. A read one counts as viewed; one without either mark is not new. */
export const isFresh = ({ read, viewed }: NotificationView): boolean => read !== true && (viewed ?? read) === false;

/** Limits the listing reads after one read of many notifications. */
const mostReread = 10;
const none: KeptNotifications = { askedAt: null, readAt: null, rows: [] };

type NoticeBoardContext = {
  clock: Clock;
  ages: StoredAges;
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

export type NoticeBoard = ReturnType<typeof createNoticeBoard>;

/** Stores the last read of each account, so that a restart neither reads too early nor notifies twice. */
const createKept = ({ settings, connection, changed, ages }: NoticeBoardContext) => {
  const name = (): string => `notifications ${connection.account()}`;
  const read = (): KeptNotifications => settings.read(name(), keptNotifications) ?? none;
  let changes = 0;
  return {
    read,
    /** Returns the time since the last request, in ms; Infinity if there was none. */
    askedAgoMs: (): number => {
      const { askedAt } = read();
      return askedAt === null ? Infinity : ages.ageMs(name(), askedAt);
    },
    /** Returns a value that differs after every change and for every account. */
    mark: (): string => `${changes} ${name()}`,
    /** Stores changes; `askedAgoMs` is the age of the request, if there was one. */
    change: (change: Partial<KeptNotifications>, askedAgoMs?: number): void => {
      settings.write(name(), { ...read(), ...change });
      if (askedAgoMs !== undefined) ages.note(name(), askedAgoMs);
      changes += 1;
      changed('notifications');
    },
  };
};
type Kept = ReturnType<typeof createKept>;

/** Sends a request. With a signal it is a background request without a waiting caller. */
const send = async <N extends RouteName>(
  { perform }: NoticeBoardContext,
  route: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<unknown> => {
  const outcome = await perform({ by: person, route, input, ...(signal && { signal, unattended: true }) });
  return outcome.state === 'done' ? outcome.answer : null;
};

/** Returns the notifications and their age. Uses the answer that an assistant was given recently, if any. */
const ask = async (parts: NoticeBoardContext, signal: AbortSignal): Promise<{ answer: unknown; ageMs: number }> => {
  const parsed = parseInput('listNotifications', {});
  const known = parsed.ok ? parts.answers.cachedAnswer('listNotifications', parsed.input) : null;
  if (known) return { answer: known.answer.answer, ageMs: known.ageMs };
  return { answer: await send(parts, 'listNotifications', {}, signal), ageMs: 0 };
};

/** Re-reads live listings with new notifications, as they may have been sold. */
const follow = async (
  parts: NoticeBoardContext,
  rows: readonly NotificationView[],
  signal: AbortSignal,
): Promise<void> => {
  const { listings, connection } = parts;
  const isLive = (listingId: string): boolean => listings.read(connection.account(), listingId)?.status === 'published';
  const listingIds = new Set(rows.flatMap(({ listingId }) => listingId ?? []));
  for (const listingId of [...listingIds].filter(isLive).slice(0, mostReread))
    await send(parts, 'readListing', { params: { listingId } }, signal);
};

/** Reads the notifications once and reports the problem, or null, to `failed`. Returns whether it succeeded. */
const look = async (
  parts: NoticeBoardContext,
  kept: Kept,
  failed: (problem: ProblemView | null) => void,
  signal: AbortSignal,
): Promise<boolean> => {
  const before = kept.read();
  const known = new Set(before.rows.map(({ notifId }) => notifId));
  try {
    kept.change({ askedAt: parts.clock.now() }, 0);
    const { answer, ageMs } = await ask(parts, signal);
    const rows = notificationsIn(answer);
    failed(null);
    const now = parts.clock.now();
    const at = now - ageMs;
    kept.change({ askedAt: at, readAt: at, rows }, ageMs);
    const fresh = rows.filter(({ notifId }) => !known.has(notifId));
    // On the first read every row is new, but no listing has changed.
    if (before.readAt !== null) await follow(parts, fresh, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    const problem = problemView(error);
    failed(problem);
    parts.log('warn', 'the notifications could not be read', { code: problem.code });
    parts.changed('notifications');
    return false;
  }
};

/** Runs `lookOnce` on schedule while the companion is connected. */
const watch = async (
  { pacing, connection, gate }: NoticeBoardContext,
  { kept, lookOnce }: { kept: Kept; lookOnce: () => Promise<boolean> },
  atStart: boolean,
  signal: AbortSignal,
): Promise<void> => {
  if (atStart) await gate.rest(pacing.draw('startNotifications'), signal);
  let everyMs = pacing.draw('notifications');
  while (!signal.aborted && connection.state() === 'connected') {
    const waitMs = everyMs - kept.askedAgoMs();
    if (waitMs > 0) await gate.rest(waitMs, signal);
    else {
      await gate.pass(signal);
      // On a full disk the time of the last request could not be stored: wait a whole interval.
      if (!(await lookOnce())) await gate.rest(everyMs, signal);
      everyMs = pacing.draw('notifications');
    }
  }
};

/**
 * Creates the list of the service's notifications, read at most once a minute while connected and not paused. It
 * shows no desktop notifications: it re-reads live listings with new notifications, and `createNews` reports the
 * change.
 */
export const createNoticeBoard = (parts: NoticeBoardContext) => {
  const kept = createKept(parts);
  let run: AbortController | null = null;
  let problem: ProblemView | null = null;
  const markRead = async (notifId: string, signal?: AbortSignal): Promise<void> => {
    await send(parts, 'readNotification', { params: { notifId } }, signal);
    const opened = (row: NotificationView): NotificationView =>
      row.notifId === notifId ? { ...row, read: true, viewed: true } : row;
    kept.change({ rows: kept.read().rows.map(opened) });
  };
  const handled = createHandledNotices({
    rows: () => (parts.connection.who() ? kept.read().rows : []),
    mark: kept.mark,
    statusOf: (listingId) => parts.listings.statusOf(parts.connection.account(), listingId),
    markRead: async (notifId) => {
      if (run !== null) await markRead(notifId, run.signal);
    },
  });
  const lookOnce = async (signal: AbortSignal): Promise<boolean> => {
    const done = await look(parts, kept, failed, signal);
    if (done) handled.followAll();
    return done;
  };
  const failed = (why: ProblemView | null): void => void (problem = why);
  const stop = (): void => {
    run?.abort();
    run = null;
  };

  return {
    /** Starts reading until `stop` or until the connection ends. */
    resume: (atStart: boolean): void => {
      stop();
      run = new AbortController();
      const { signal } = run;
      watch(parts, { kept, lookOnce: () => lookOnce(signal) }, atStart, signal).catch(() => undefined);
    },
    stop,
    list: (): NotificationsView => {
      const { readAt, rows } = parts.connection.who() ? kept.read() : none;
      return { readAt, rows, fresh: rows.filter(isFresh).length, problem };
    },
    /** Marks all as viewed. */
    viewed: async (): Promise<void> => {
      if (!kept.read().rows.some(isFresh)) return;
      await send(parts, 'markNotificationsViewed', { body: {} });
      kept.change({ rows: kept.read().rows.map((row) => ({ ...row, viewed: true })) });
    },
    /** Marks one as read. */
    read: (notifId: string): Promise<void> => markRead(notifId),
    /** Marks notifications as read that a listing's new status settles. */
    followListing: handled.follow,
  };
};
