import { t } from '../../i18n.ts';
import { useEffect, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { formatClockTime, formatDay, formatExactTime } from './format.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats a time in ms, for example as "3 min ago". A time that is older than a week becomes a date. */
export const formatRelativeTime = (at: number, now: number): string => {
  const past = Math.max(0, now - at);
  if (past < 45_000) return t('parts.time.justNow');
  if (past < hour) return t('parts.time.minutesAgo', { count: Math.max(1, Math.round(past / minute)) });
  if (past < day) return t('parts.time.hoursAgo', { count: Math.max(1, Math.floor(past / hour)) });
  if (past < 7 * day)
    return past < 2 * day ? t('parts.time.yesterday') : t('parts.time.daysAgo', { count: Math.floor(past / day) });
  return formatDay(at);
};

/** Formats a remaining time in ms, for example as "23 h 5 min". */
export const formatRemainingTime = (left: number): string => {
  if (left < minute) return t('parts.time.s', { s: Math.ceil(left / 1000) });
  if (left < hour) return t('parts.time.min', { min: Math.floor(left / minute) });
  return t('parts.time.hMin', { h: Math.floor(left / hour), min: Math.floor((left % hour) / minute) });
};

export const formatTimeLeft = (left: number): string => {
  if (left <= 0) return t('parts.time.up');
  return t('parts.time.left', { time: formatRemainingTime(left) });
};

const soonMs = 5 * minute;

export const countSecondsLeft = (left: number): number => Math.max(0, Math.ceil(left / 1_000));

/** Formats a wait in seconds, for example as "3 min 20 s". */
export const formatWaitTime = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return t('parts.time.s', { s: whole });
  const rest = whole % 60;
  const min = Math.floor(whole / 60);
  return rest === 0 ? t('parts.time.min', { min }) : t('parts.time.minS', { min, s: rest });
};

const useRepeatedTime = (read: () => number, everyMs: number): number => {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), everyMs);
    return () => clearInterval(timer);
  }, [read, everyMs]);
  return now;
};

const getWallTime = (): number => Date.now();
const getElapsedMs = (): number => performance.now();

/** Returns the ms since the page opened. The time is monotonic because the person can change the clock. */
export const useElapsedMs = (everyMs: number): number => useRepeatedTime(getElapsedMs, everyMs);

const createCountdownStart = (until: number) => ({ until, leftMs: until - Date.now(), atMs: performance.now() });

/** Returns the ms that remain until a time. A change of the clock has no effect. */
export const useTimeLeft = (until: number, everyMs: number): number => {
  const elapsedMs = useElapsedMs(everyMs);
  const [start, setStart] = useState(() => createCountdownStart(until));
  if (start.until !== until) setStart(createCountdownStart(until));
  return start.leftMs - Math.max(0, elapsedMs - start.atMs);
};

export const RelativeTime = ({ at }: { at: number }) => {
  const now = useRepeatedTime(getWallTime, 15_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactTime(at)}>
      {formatRelativeTime(at, now)}
    </time>
  );
};

/** For rows below a heading that names the day. */
export const ClockTime = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={formatExactTime(at)}>
    {formatClockTime(at)}
  </time>
);

type TimeLeftProps = {
  until: number;
  everyMs: number;
  /** Screen readers announce once that the time will soon be over. */
  announced?: boolean;
  className?: string | undefined;
};

export const TimeLeft = ({ until, everyMs, announced = false, className }: TimeLeftProps) => {
  const left = useTimeLeft(until, everyMs);
  const soon = left > 0 && left <= soonMs;
  return (
    <span className={className} data-soon={soon || undefined}>
      <span role={announced ? 'status' : undefined}>{soon && t('parts.time.soon')}</span>
      {soon && ' · '}
      <time dateTime={new Date(until).toISOString()} title={formatExactTime(until)}>
        {formatTimeLeft(left)}
      </time>
    </span>
  );
};

/** Returns the seconds until the person can retry, or 0. */
export const useRetryWait = (error: unknown): number => {
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

export const RetryCountdown = ({ left }: { left: number }) =>
  left > 0 ? <span>{t('parts.tryAgainIn', { wait: formatWaitTime(left) })}</span> : null;
