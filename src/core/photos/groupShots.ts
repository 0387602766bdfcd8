/** What is known of a photo before it is opened: its camera and its time (ms since 1970), where EXIF has them. */
export type Shot = { takenAt: number | undefined; camera: string | undefined };

/**
 * How plain it must be that photos show several things. `flat`: photos of many things lie together. `own`: the folder was
 * most likely made for one thing, so only several long pauses tell otherwise.
 */
export type Grounds = 'flat' | 'own';
const grounds = {
  flat: { leastPauseMs: 60_000, timesUsual: 4, leastSets: 2, byCamera: true },
  own: { leastPauseMs: 180_000, timesUsual: 8, leastSets: 3, byCamera: false },
} as const satisfies Record<Grounds, object>;

/** A pause of this length ends a set whatever is usual. */
const alwaysMs = 20 * 60_000;

type Timed = { at: number; takenAt: number; camera: string };

/** The pause that lies below most others: photos of one thing follow each other quickly. */
const usualPause = (pauses: readonly number[]): number =>
  pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 3)] ?? 0;

const splitAtPauses = (shots: readonly Timed[], { leastPauseMs, timesUsual }: (typeof grounds)[Grounds]): Timed[][] => {
  const pauses = shots.slice(1).map((shot, index) => shot.takenAt - (shots[index]?.takenAt ?? 0));
  const limit = Math.min(alwaysMs, Math.max(leastPauseMs, timesUsual * usualPause(pauses)));
  const sets: Timed[][] = [];
  for (const [index, shot] of shots.entries()) {
    const pause = pauses[index - 1];
    if (pause === undefined || pause >= limit) sets.push([shot]);
    else sets.at(-1)?.push(shot);
  }
  return sets;
};

/**
 * Which photos of one folder most likely show the same thing, as sets of their indexes: those that one camera took without
 * a longer pause. Photos without a time stay with the one before them. One set where there are no plain grounds to split.
 */
export const groupShots = (shots: readonly Shot[], on: Grounds): number[][] => {
  const all = [shots.map((_, at) => at)];
  const rule = grounds[on];
  const timed = shots.flatMap(({ takenAt, camera }, at): Timed[] =>
    takenAt === undefined ? [] : [{ at, takenAt, camera: rule.byCamera ? (camera ?? '') : '' }],
  );
  const byTime = timed.toSorted((a, b) => a.takenAt - b.takenAt || a.at - b.at);
  const cameras = Map.groupBy(byTime, ({ camera }) => camera);
  const sets = [...cameras.values()].flatMap((taken) => splitAtPauses(taken, rule));
  if (sets.length < rule.leastSets) return all;
  const setOf = new Map(sets.flatMap((set, nth) => set.map(({ at }) => [at, nth] as const)));
  const grouped = sets.map((): number[] => []);
  // What comes before the first photo with a time belongs to that one's set.
  let nth = setOf.get(Math.min(...setOf.keys())) ?? 0;
  for (const at of shots.keys()) {
    nth = setOf.get(at) ?? nth;
    grouped[nth]?.push(at);
  }
  return grouped.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
};
