const dayFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const hourMs = 3_600_000;

/**
 * The next midnight in the Pacific time zone after `now` (ms since 1970), where the marketplace's daily limits start
 * again. Looked for hour by hour, as some days have 23 or 25 of them.
 */
export const nextMidnightPacific = (now: number): number => {
  const today = dayFormat.format(now);
  let at = (Math.floor(now / hourMs) + 1) * hourMs;
  while (dayFormat.format(at) === today) at += hourMs;
  return at;
};
