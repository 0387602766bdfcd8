import type { Random } from '../../base/ports.ts';
import { drawn, pauseMs, toldMs } from './waits.ts';

/** What the end of a call says of the service. `busy`: it is there, and asks this lane to wait. `unknown`: nothing. */
export type Verdict =
  | { kind: 'up' }
  | { kind: 'unknown' }
  | { kind: 'down'; retryAfterS?: number | undefined }
  | { kind: 'busy'; retryAfterS: number };

/** A call that is under way. */
export type Permit = { lane: string; isTest: boolean; since: number };

type Trouble = {
  failures: number;
  /** The next test is made at this time at the earliest. */
  until: number;
  /** Until when the service asked to wait, which nobody skips; -Infinity where it asked for nothing. */
  told: number;
  /** Which failure it was that counted last. */
  mark: number;
  /** The next test is the person's. */
  hurried: boolean;
};

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * What a call that nobody waits for does now: it goes at this time, which is now or later (Infinity: when a test has
 * ended), and then looks again. `hasWaited` says that it was held back: then others were, too, and it goes a little later.
 */
export const goesWhen = (breaker: Breaker, lane: string, now: number, hasWaited: boolean, random: Random): number => {
  breaker.keepTime(now);
  const at = breaker.goesAt(lane);
  if (at > now || !hasWaited || breaker.isTroubled()) return Math.max(at, now);
  return now + drawn('release', random);
};

/**
 * Keeps the calls that nobody waits for from a service that has a fault. A lane is one kind of call. After a failure no
 * lane goes on but one call at a time, which tests the way for all, after pauses that grow. When some call succeeds the
 * others go on; lanes that failed themselves are tested first, each by one call, so that a route that stays broken is
 * not asked more often because another one works. Knows no clock: every function is told the time.
 */
export const createBreaker = (random: Random) => {
  let all: Trouble | null = null;
  const lanes = new Map<string, Trouble>();
  const tests = new Set<string>();
  let mark = 0;
  let quietUntil = 0;
  let latest = -Infinity;
  const troubles = (): Trouble[] => [...lanes.values(), ...(all ? [all] : [])];

  /** A clock that was set back takes every wait back with it: none lasts longer for that than it was to. */
  const keepTime = (now: number): void => {
    const back = latest - now;
    latest = now;
    if (back <= 0) return;
    quietUntil -= back;
    for (const trouble of troubles()) {
      trouble.until -= back;
      trouble.told -= back;
    }
  };

  /** What counts is a failure that was not under way already when the last one came. */
  const grown = (before: Trouble | null, now: number, permit: Permit, retryAfterS: number | undefined): Trouble => {
    if (before && !permit.isTest && permit.since < before.mark) {
      const told = retryAfterS === undefined ? before.told : Math.max(before.told, now + toldMs(retryAfterS, random));
      return { ...before, told, until: Math.max(before.until, told) };
    }
    const failures = (before?.failures ?? 0) + (before?.hurried ? 0 : 1);
    const told = retryAfterS === undefined ? -Infinity : now + toldMs(retryAfterS, random);
    return { failures, told, until: Math.max(now + pauseMs(failures, random), told), mark, hurried: false };
  };

  const failed = (permit: Permit, now: number, retryAfterS: number | undefined, wholeService: boolean): void => {
    mark += 1;
    lanes.set(permit.lane, grown(lanes.get(permit.lane) ?? null, now, permit, retryAfterS));
    if (wholeService) all = grown(all, now, permit, retryAfterS);
  };

  const succeeded = ({ lane, isTest, since }: Permit, now: number): void => {
    // A call that was under way before the failure says nothing of what came after it.
    const isNews = (trouble: Trouble): boolean => isTest || since >= trouble.mark;
    if (all && (isNews(all) || all.told <= now)) all = null;
    const own = lanes.get(lane);
    if (!own || !isNews(own)) return;
    lanes.delete(lane);
    // What failed works again, so the rest of what failed is worth a test, too.
    for (const other of lanes.values()) other.until = Math.max(other.told, Math.min(other.until, now));
  };

  return {
    /** From when on a call of that lane may go; Infinity while another one tests the way. */
    goesAt: (lane: string): number => {
      const own = lanes.get(lane);
      if (all === null && own === undefined) return quietUntil;
      if (all === null ? tests.has(lane) : tests.size > 0) return Infinity;
      return Math.max(quietUntil, all?.until ?? 0, own?.until ?? 0);
    },
    /** Begins a call. It tests the way where there is trouble; `attended` calls go anyway and test nothing. */
    begin: (lane: string, attended = false): Permit => {
      const isTest = !attended && (all !== null || lanes.has(lane));
      if (isTest) tests.add(lane);
      return { lane, isTest, since: mark };
    },
    end: (permit: Permit, verdict: Verdict, now: number): void => {
      keepTime(now);
      if (permit.isTest) tests.delete(permit.lane);
      if (verdict.kind === 'up') succeeded(permit, now);
      if (verdict.kind === 'down') failed(permit, now, verdict.retryAfterS, true);
      if (verdict.kind === 'busy') failed(permit, now, verdict.retryAfterS, false);
    },
    /** The person wants it tried now: of the pauses only what the service itself asked for is left. */
    hurry: (now: number): void => {
      keepTime(now);
      quietUntil = 0;
      for (const trouble of troubles()) {
        trouble.until = Math.min(trouble.until, Math.max(trouble.told, now));
        trouble.hurried = true;
      }
    },
    /** Nothing goes for so long, as after a start. */
    quiet: (now: number, ms: number): void => {
      keepTime(now);
      quietUntil = now + ms;
    },
    /** To be told the time before `goesAt` is asked, as the clock may have been set back. */
    keepTime,
    /** The service as a whole does not answer as it should. */
    isDown: (): boolean => all !== null,
    /** The same, or one kind of call. */
    isTroubled: (): boolean => all !== null || lanes.size > 0,
  };
};
