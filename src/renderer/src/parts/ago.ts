import { dayWords, locale } from '../i18n/locale.ts';
import { t } from '../i18n/t.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "3 min ago" of a time in ms; older than a week is a date. */
export const ago = (at: number, now: number): string => {
  const past = Math.max(0, now - at);
  if (past < 45_000) return t('parts.time.justNow');
  if (past < hour) return t('parts.time.minutesAgo', { count: Math.max(1, Math.round(past / minute)) });
  if (past < day) return t('parts.time.hoursAgo', { count: Math.max(1, Math.floor(past / hour)) });
  if (past < 7 * day)
    return past < 2 * day ? t('parts.time.yesterday') : t('parts.time.daysAgo', { count: Math.floor(past / day) });
  return dayWords(at);
};

/** The exact time, for a hover. */
export const exactly = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(at);

const leftWords = (left: number): string => {
  if (left < minute) return t('parts.time.s', { s: Math.ceil(left / 1000) });
  if (left < hour) return t('parts.time.min', { min: Math.floor(left / minute) });
  return t('parts.time.hMin', { h: Math.floor(left / hour), min: Math.floor((left % hour) / minute) });
};

/** "28 min left" until a time in ms. */
export const timeLeft = (until: number, now: number): string => {
  const left = until - now;
  if (left <= 0) return t('parts.time.up');
  return t('parts.time.left', { time: leftWords(left) });
};

/** Seconds that are left until a time in ms, counted up. */
export const secondsLeft = (until: number, now: number): number => Math.max(0, Math.ceil((until - now) / 1_000));

/** A wait in words: "42 s", "3 min 20 s". */
export const waitInWords = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return t('parts.time.s', { s: whole });
  const rest = whole % 60;
  const min = Math.floor(whole / 60);
  return rest === 0 ? t('parts.time.min', { min }) : t('parts.time.minS', { min, s: rest });
};
