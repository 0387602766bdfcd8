import type { Random } from '../../src/core/base/ports.ts';
import { createFleetCompanion, type Service, type World } from './companion.ts';
import { seeded } from './seeded.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** 23:00 Pacific time, in winter. */
const elevenAtNight = Date.UTC(2026, 0, 15, 7);
const itemsADay = 3;

/** An event that affects the service or all companions. Times are relative to the start of the scene. */
export type Scene = {
  title: string;
  lengthMs: number;
  /** The start of the event. The usual load is measured before this time. */
  eventMs: number;
  /** The end of the event. The peaks are measured after this time. */
  overMs: number;
  live: (companion: ReturnType<typeof createFleetCompanion>, at: Live) => void;
  service: Service;
};
type Live = { from: number; until: number; nth: number; of: number; random: Random };

const fine: Service = () => ({ verdict: { kind: 'up' }, arrives: true });
const outage = (from: number, until: number, retryAfterS: number | undefined, arrives: boolean): Service => {
  const down = { verdict: { kind: 'down', retryAfterS }, arrives } as const;
  const up = { verdict: { kind: 'up' }, arrives: true } as const;
  return (now) => (now >= from && now < until ? down : up);
};

const runsThrough: Scene['live'] = (companion, { from, until }) => {
  companion.runs(from);
  companion.run(until);
};

const downFor = (title: string, retryAfterS: number | undefined, arrives: boolean): Scene => ({
  title,
  lengthMs: 3 * hour,
  eventMs: 30 * minute,
  overMs: 90 * minute,
  live: runsThrough,
  service: outage(elevenAtNight + 30 * minute, elevenAtNight + 90 * minute, retryAfterS, arrives),
});

const onADay = 10 * hour;

/** Each companion runs for ten hours and starts at a different time of the day. */
const usualDay: Scene['live'] = (companion, { from, until, nth, of, random }) => {
  const begins = from + (nth / of) * day;
  companion.runs(from);
  companion.run(begins - day + onADay);
  companion.starts(begins, 0, begins - random() * day, true);
  companion.run(Math.min(until, begins + onADay));
};

/** All companions restart, spread evenly over `withinMs`. Few have an open window, and very few have items in progress. */
const restarted =
  (eventMs: number, withinMs: number): Scene['live'] =>
  (companion, { from, until, nth, of, random }) => {
    const at = from + eventMs + (nth / of) * withinMs;
    companion.runs(from);
    companion.run(at - 20 * second);
    companion.starts(at, random() < 0.01 ? 2 : 0, at - random() * 9 * hour, random() < 0.3);
    companion.run(until);
  };

const heldShare = 0.2;

export const scenes = {
  day: { title: 'a day', lengthMs: day, eventMs: 0, overMs: 0, live: usualDay, service: fine },
  fault: downFor('an hour of 503', undefined, true),
  told: downFor('an hour of 503, Retry-After 60', 60, true),
  unreachable: downFor('an hour without a connection', undefined, false),
  midnight: {
    title: 'midnight Pacific, a fifth had spent a budget',
    lengthMs: 2 * hour,
    eventMs: hour,
    overMs: hour,
    live: (companion, at) => {
      companion.runs(at.from);
      if (at.random() < heldShare) companion.isHeldBack(at.from);
      companion.run(at.until);
    },
    service: fine,
  },
  release: {
    title: 'all restart within a minute',
    lengthMs: 2 * hour,
    eventMs: 30 * minute,
    overMs: 30 * minute,
    live: restarted(30 * minute, minute),
    service: fine,
  },
  slowRelease: {
    title: 'all restart within ten minutes',
    lengthMs: 2 * hour,
    eventMs: 30 * minute,
    overMs: 30 * minute,
    live: restarted(30 * minute, 10 * minute),
    service: fine,
  },
} satisfies Record<string, Scene>;

/** The number of automatic calls that reach the service, by second of the scene. */
type Load = Uint32Array;

/**
 * Simulates a scene. Companions do not affect each other, so they run one after the other. `isEven` replaces random pacing
 * by fixed times.
 */
export const play = (scene: Scene, companions: number, seed: number, isEven = false): Load => {
  const load: Load = new Uint32Array(Math.ceil(scene.lengthMs / second));
  const random = seeded(seed);
  const world: World = { service: scene.service, random, itemsADay };
  const own = isEven ? () => 0 : seeded(seed + 1);
  const from = elevenAtNight;
  const until = from + scene.lengthMs;
  const count = (now: number): void => {
    const at = Math.floor((now - from) / second);
    if (at >= 0 && at < load.length) load[at] = (load[at] ?? 0) + 1;
  };
  for (let nth = 0; nth < companions; nth += 1)
    scene.live(createFleetCompanion(world, own, count), { from, until, nth, of: companions, random });
  return load;
};

export const byMinute = (load: Load): number[] =>
  Array.from({ length: Math.floor(load.length / 60) }, (_none, nth) =>
    load.subarray(nth * 60, nth * 60 + 60).reduce((sum, calls) => sum + calls, 0),
  );

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the usual calls per minute, and the busiest minute and second as multiples of the usual load. */
export const peaks = (scene: Scene, load: Load): { usual: number; minute: number; second: number } => {
  const minutes = byMinute(load);
  const usual = mean(scene.eventMs > 0 ? minutes.slice(0, scene.eventMs / minute) : minutes);
  const after = load.subarray(scene.overMs / second);
  return {
    usual,
    minute: Math.max(...minutes.slice(scene.overMs / minute)) / usual,
    second: after.reduce((most, calls) => Math.max(most, calls), 0) / (usual / 60),
  };
};
