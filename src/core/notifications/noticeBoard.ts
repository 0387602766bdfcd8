import { parseInput, type InputOf, type RouteName } from '../../contract/index.ts';
import type { Gate } from '../base/gate.ts';
import type { Changed, Clock, Log } from '../base/ports.ts';
import type { Connection } from '../service/connection.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { Answers } from '../service/throttle/responseCache.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import type { Perform } from '../base/request.ts';
import { problemView, type ProblemView } from '../base/problem.ts';
import {
  isFresh,
  keptNotifications,
  notificationsIn,
  type KeptNotifications,
  type NotificationsView,
  type NotificationView,
} from './notification.ts';
import type { Asker } from '../base/asker.ts';

/** A flood of notifications is no reason for a flood of requests. */
const mostReread = 10;
const person: Asker = { kind: 'person' };
const none: KeptNotifications = { askedAt: null, readAt: null, rows: [] };

type NoticeBoardContext = {
  clock: Clock;
  pacing: Pacing;
  settings: SettingsTable;
  listings: ListingsTable;
  connection: Connection;
  answers: Answers;
  gate: Gate;
  changed: Changed;
  log: Log;
  perform: Perform;
};

export type NoticeBoard = ReturnType<typeof createNoticeBoard>;

/**
 * The service's notifications to the person, read at most once a minute, and only while the companion is connected and
 * not paused. It shows nothing outside the window: a live listing that a new one is about is read again, and what became
 * of it is told like any other news.
 */
export const createNoticeBoard = (parts: NoticeBoardContext) => {
  const { clock, pacing, settings, connection, gate, changed } = parts;
  let run: AbortController | null = null;
  let problem: ProblemView | null = null;

  /** Kept on disk, so that a restart neither asks nor tells again. */
  const name = (): string => `notifications ${connection.account()}`;
  const kept = (): KeptNotifications => settings.read(name(), keptNotifications) ?? none;
  const keep = (change: Partial<KeptNotifications>): void => {
    settings.write(name(), { ...kept(), ...change });
    changed('notifications');
  };

  /** With a signal it is the companion's own, which nobody waits for. */
  const send = async <N extends RouteName>(route: N, input: InputOf<N>, signal?: AbortSignal): Promise<unknown> => {
    const outcome = await parts.perform({ by: person, route, input, ...(signal && { signal, unattended: true }) });
    return outcome.state === 'done' ? outcome.answer : null;
  };

  /** The answer and its time. What an assistant was just answered is no reason to ask again. */
  const ask = async (signal: AbortSignal): Promise<{ answer: unknown; at: number }> => {
    const parsed = parseInput('listNotifications', {});
    const known = parsed.ok ? parts.answers.standing('listNotifications', parsed.input) : null;
    if (known) return { answer: known.answer.answer, at: clock.now() - known.ageMs };
    return { answer: await send('listNotifications', {}, signal), at: clock.now() };
  };

  /** What is new about a live listing may be its sale. */
  const follow = async (rows: readonly NotificationView[], signal: AbortSignal): Promise<void> => {
    const isLive = (listingId: string): boolean =>
      parts.listings.read(connection.account(), listingId)?.status === 'published';
    const listingIds = new Set(rows.flatMap(({ listingId }) => listingId ?? []));
    for (const listingId of [...listingIds].filter(isLive).slice(0, mostReread))
      await send('readListing', { params: { listingId } }, signal);
  };

  /** Asks once. False when that failed. */
  const look = async (signal: AbortSignal): Promise<boolean> => {
    const before = kept();
    const known = new Set(before.rows.map(({ notifId }) => notifId));
    try {
      keep({ askedAt: clock.now() });
      const { answer, at } = await ask(signal);
      const rows = notificationsIn(answer);
      problem = null;
      keep({ askedAt: at, readAt: at, rows });
      // The first time, everything is new and nothing is.
      if (before.readAt !== null)
        await follow(
          rows.filter(({ notifId }) => !known.has(notifId)),
          signal,
        );
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      problem = problemView(error);
      parts.log('warn', 'the notifications could not be read', { code: problem.code });
      changed('notifications');
      return false;
    }
  };

  const watch = async (atStart: boolean, signal: AbortSignal): Promise<void> => {
    if (atStart) await gate.rest(pacing.draw('startNotifications'), signal);
    let everyMs = pacing.draw('notifications');
    while (!signal.aborted && connection.state() === 'connected') {
      // A clock that was set back is no reason to wait for longer than the minute.
      const waitMs = Math.min(everyMs, (kept().askedAt ?? 0) + everyMs - clock.now());
      if (waitMs > 0) await gate.rest(waitMs, signal);
      else {
        await gate.pass(signal);
        // On a full disk it is not known that it has just been asked.
        if (!(await look(signal))) await gate.rest(everyMs, signal);
        everyMs = pacing.draw('notifications');
      }
    }
  };

  const stop = (): void => {
    run?.abort();
    run = null;
  };

  return {
    /** At a start or after connecting: the reading goes on until `stop`, or until the connection ends. */
    takeUp: (atStart: boolean): void => {
      stop();
      run = new AbortController();
      watch(atStart, run.signal).catch(() => undefined);
    },
    stop,
    list: (): NotificationsView => {
      const { readAt, rows } = connection.who() ? kept() : none;
      return { readAt, rows, fresh: rows.filter(isFresh).length, problem };
    },
    /** The person has looked at them all. */
    viewed: async (): Promise<void> => {
      if (!kept().rows.some(isFresh)) return;
      await send('markNotificationsViewed', { body: {} });
      keep({ rows: kept().rows.map((row) => ({ ...row, viewed: true })) });
    },
    /** The person has opened one of them. */
    read: async (notifId: string): Promise<void> => {
      await send('readNotification', { params: { notifId } });
      keep({ rows: kept().rows.map((row) => (row.notifId === notifId ? { ...row, read: true, viewed: true } : row)) });
    },
  };
};
