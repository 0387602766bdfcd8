const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "3 min ago" of a time in ms; older than a week is a date. */
export const ago = (at: number, now: number): string => {
  const past = Math.max(0, now - at);
  if (past < 45_000) return 'just now';
  if (past < hour) return `${Math.max(1, Math.round(past / minute))} min ago`;
  if (past < day) return `${Math.max(1, Math.floor(past / hour))} h ago`;
  if (past < 7 * day) return past < 2 * day ? 'yesterday' : `${Math.floor(past / day)} days ago`;
  return new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }).format(at);
};

/** The exact time, for a hover. */
export const exactly = (at: number): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);

/** "28 min left" until a time in ms. */
export const timeLeft = (until: number, now: number): string => {
  const left = until - now;
  if (left <= 0) return 'Time is up';
  if (left < minute) return `${Math.ceil(left / 1000)} s left`;
  if (left < hour) return `${Math.floor(left / minute)} min left`;
  return `${Math.floor(left / hour)} h ${Math.floor((left % hour) / minute)} min left`;
};

/** A wait in words: "42 s", "3 min 20 s". */
export const waitInWords = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 60)} min ${rest} s`;
};
