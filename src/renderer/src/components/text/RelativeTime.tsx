import { locale, t } from '../../i18n.ts';
import { useEffect, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { formatDay } from './format.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "3 min ago" of a time in ms; older than a week is a date. */
export const relativeTime = (at: number, now: number): string => {
  const past = Math.max(0, now - at);
  if (past < 45_000) return t('parts.time.justNow');
  if (past < hour) return t('parts.time.minutesAgo', { count: Math.max(1, Math.round(past / minute)) });
  if (past < day) return t('parts.time.hoursAgo', { count: Math.max(1, Math.floor(past / hour)) });
  if (past < 7 * day)
    return past < 2 * day ? t('parts.time.yesterday') : t('parts.time.daysAgo', { count: Math.floor(past / day) });
  return formatDay(at);
};

/** The exact time, for a hover. */
const exactTime = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(at);

const durationText = (left: number): string => {
  if (left < minute) return t('parts.time.s', { s: Math.ceil(left / 1000) });
  if (left < hour) return t('parts.time.min', { min: Math.floor(left / minute) });
  return t('parts.time.hMin', { h: Math.floor(left / hour), min: Math.floor((left % hour) / minute) });
};

/** "28 min left" of so many ms. */
export const timeLeft = (left: number): string => {
  if (left <= 0) return t('parts.time.up');
  return t('parts.time.left', { time: durationText(left) });
};

/** From here on a question is about to run out, and says so. */
const soonMs = 5 * minute;

/** The seconds of so many ms that are left, counted up. */
export const secondsLeft = (left: number): number => Math.max(0, Math.ceil(left / 1_000));

/** A wait in words: "42 s", "3 min 20 s". */
export const waitText = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return t('parts.time.s', { s: whole });
  const rest = whole % 60;
  const min = Math.floor(whole / 60);
  return rest === 0 ? t('parts.time.min', { min }) : t('parts.time.minS', { min, s: rest });
};

const useTime = (read: () => number, everyMs: number): number => {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), everyMs);
    return () => clearInterval(timer);
  }, [read, everyMs]);
  return now;
};

const readWallTime = (): number => Date.now();
const readElapsedMs = (): number => performance.now();

/** How long this page has been open in ms, again every `everyMs`: durations are measured by it, as the clock may be set. */
export const useElapsedMs = (everyMs: number): number => useTime(readElapsedMs, everyMs);

const countFrom = (until: number) => ({ until, leftMs: until - Date.now(), atMs: performance.now() });

/** The ms that are left until a time, again every `everyMs`; a clock that is set on the way changes nothing. */
export const useTimeLeft = (until: number, everyMs: number): number => {
  const elapsedMs = useElapsedMs(everyMs);
  const [start, setStart] = useState(() => countFrom(until));
  if (start.until !== until) setStart(countFrom(until));
  return start.leftMs - Math.max(0, elapsedMs - start.atMs);
};

/** "3 min ago", with the exact time on hover. */
export const RelativeTime = ({ at }: { at: number }) => {
  const now = useTime(readWallTime, 15_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
};

type TimeLeftProps = {
  until: number;
  everyMs: number;
  /** Whether a screen reader hears that it is about to run out: once, and not every second. */
  announced?: boolean;
  className?: string | undefined;
};

/** How long something can still be answered, with the exact end on hover; the last minutes say that it is about to run out. */
export const TimeLeft = ({ until, everyMs, announced = false, className }: TimeLeftProps) => {
  const left = useTimeLeft(until, everyMs);
  const soon = left > 0 && left <= soonMs;
  return (
    <span className={className} data-soon={soon || undefined}>
      <span role={announced ? 'status' : undefined}>{soon && t('parts.time.soon')}</span>
      {soon && ' · '}
      <time dateTime={new Date(until).toISOString()} title={exactTime(until)}>
        {timeLeft(left)}
      </time>
    </span>
  );
};

/** Seconds still to wait after a refusal that named a wait; 0 when there is none. */
export const useWait = (error: unknown): number => {
  const wait = error instanceof CallError ? (error.retryAfterS ?? 0) : 0;
  const [state, setState] = useState({ error, left: wait });
  if (state.error !== error) setState({ error, left: wait });
  useEffect(() => {
    if (wait <= 0) return;
    const until = performance.now() + wait * 1000;
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
      setState({ error, left });
      if (left === 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [error, wait]);
  return state.error === error ? state.left : wait;
};

/** What a wait says: "Try again in 42 s." */
export const Countdown = ({ left }: { left: number }) =>
  left > 0 ? <span>{t('parts.tryAgainIn', { wait: waitText(left) })}</span> : null;
