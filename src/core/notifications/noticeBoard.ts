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
  /** The service's own word for what it is about, such as `sale`. */
  kind: z.string().nullable(),
  /** May hold names that other people chose: it is data. */
  text: z.string(),
  listingId: z.string().nullable(),
  /** Null where the service does not say. */
  read: z.boolean().nullable(),
  viewed: z.boolean().nullable(),
  /** What a sale brought, in the currency's minor unit; null where the service does not say. */
  amount: z.object({ minor: z.int(), currency: z.string() }).nullable().default(null),
  /** In ms since 1970; null where the service does not say. */
  at: z.int().nullable(),
});
/** A notification of the service as the windows show it. */
export type NotificationView = z.infer<typeof view>;

/** The newest notifications as they were last read; both times in ms since 1970, null when that was not yet. */
const keptNotifications = z.object({
  askedAt: z.int().nullable(),
  readAt: z.int().nullable(),
  rows: z.array(view),
});
type KeptNotifications = z.infer<typeof keptNotifications>;

/** What the service told the person, and how much of it was not looked at yet. */
export type NotificationsView = Pick<KeptNotifications, 'readAt' | 'rows'> & {
  fresh: number;
  /** Why they could not be read the last time. */
  problem: ProblemView | null;
};

/** The interface shows no fields of a notification: what is known is taken, and what is odd is left out. */
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

/** The notifications in an answer of the service, in its order. */
export const notificationsIn = (answer: unknown): NotificationView[] =>
  page.parse(answer).notifications.flatMap((value) => {
    const parsed = row.safeParse(value);
    return parsed.success ? [viewOf(parsed.data)] : [];
  });

/** Whether it was not looked at yet. One that was read was looked at; where the service says neither, nothing is claimed. */
export const isFresh = ({ read, viewed }: NotificationView): boolean => read !== true && (viewed ?? read) === false;

/** A flood of notifications is no reason for a flood of requests. */
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

/** What was read last, on disk for each account, so that a restart neither asks nor tells again. */
const createKept = ({ settings, connection, changed, ages }: NoticeBoardContext) => {
  const name = (): string => `notifications ${connection.account()}`;
  const read = (): KeptNotifications => settings.read(name(), keptNotifications) ?? none;
  let changes = 0;
  return {
    read,
    /** How long ago they were asked for, in ms; Infinity where they never were. */
    askedAgoMs: (): number => {
      const { askedAt } = read();
      return askedAt === null ? Infinity : ages.ageMs(name(), askedAt);
    },
    /** Another one after every change, and for another account. */
    mark: (): string => `${changes} ${name()}`,
    /** `askedAgoMs` is how long ago they were asked for, where they were. */
    change: (change: Partial<KeptNotifications>, askedAgoMs?: number): void => {
      settings.write(name(), { ...read(), ...change });
      if (askedAgoMs !== undefined) ages.note(name(), askedAgoMs);
      changes += 1;
      changed('notifications');
    },
  };
};
type Kept = ReturnType<typeof createKept>;

/** With a signal it is the companion's own, which nobody waits for. */
const send = async <N extends RouteName>(
  { perform }: NoticeBoardContext,
  route: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<unknown> => {
  const outcome = await perform({ by: person, route, input, ...(signal && { signal, unattended: true }) });
  return outcome.state === 'done' ? outcome.answer : null;
};

/** The answer and its age. What an assistant was just answered is no reason to ask again. */
const ask = async (parts: NoticeBoardContext, signal: AbortSignal): Promise<{ answer: unknown; ageMs: number }> => {
  const parsed = parseInput('listNotifications', {});
  const known = parsed.ok ? parts.answers.cachedAnswer('listNotifications', parsed.input) : null;
  if (known) return { answer: known.answer.answer, ageMs: known.ageMs };
  return { answer: await send(parts, 'listNotifications', {}, signal), ageMs: 0 };
};

/** What is new about a live listing may be its sale. */
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

/** Asks once; `failed` is told why it did not work, and null as soon as it did. False when it did not. */
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
    // The first time, everything is new and nothing is.
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

/** Has `lookOnce` run at its times for as long as the companion is connected. */
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
      // On a full disk it is not known that it has just been asked.
      if (!(await lookOnce())) await gate.rest(everyMs, signal);
      everyMs = pacing.draw('notifications');
    }
  }
};

/**
 * The service's notifications to the person, read at most once a minute, and only while the companion is connected and
 * not paused. It shows nothing outside the window: a live listing that a new one is about is read again, and what became
 * of it is told like any other news.
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
    /** At a start or after connecting: the reading goes on until `stop`, or until the connection ends. */
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
    /** The person has looked at them all. */
    viewed: async (): Promise<void> => {
      if (!kept.read().rows.some(isFresh)) return;
      await send(parts, 'markNotificationsViewed', { body: {} });
      kept.change({ rows: kept.read().rows.map((row) => ({ ...row, viewed: true })) });
    },
    /** The person has opened one of them. */
    read: (notifId: string): Promise<void> => markRead(notifId),
    /** A listing was read, or is gone: what asks for something that was done with it is read by that. */
    followListing: handled.follow,
  };
};
