export type Span = { from: string; to: string };

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The last `days` days as whole days, cut into parts of the same length, oldest first; both ends included. */
export const spansOf = (days: number, parts: number, now: number): Span[] => {
  const length = Math.ceil(days / parts);
  return Array.from({ length: Math.ceil(days / length) }, (_, at) => {
    const first = days - at * length;
    const last = Math.max(1, first - length + 1);
    return { from: dayOf(now - (first - 1) * dayMs), to: dayOf(now - (last - 1) * dayMs) };
  });
};
