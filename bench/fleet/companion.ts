import {
  createCircuitBreaker,
  computeSendAt,
  type CircuitBreaker,
  type CallVerdict,
} from '../../src/core/service/pacing/circuitBreaker.ts';
import { getRandomDelayMs, getListingsDueAt, getBudgetRenewalAt } from '../../src/core/service/pacing/waits.ts';
import type { Random } from '../../src/core/base/ports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Returns the verdict on a call at a time, and whether the call reaches the service. */
export type Service = (now: number) => { verdict: CallVerdict; arrives: boolean };

export type World = {
  service: Service;
  random: Random;
  itemsADay: number;
};

/** A sequence of calls that a companion makes automatically, and that can repeat. */
type Job = {
  at: number;
  /** The time of the call without any delay. */
  due: number;
  hasWaited: boolean;
  calls: readonly string[];
  gapMs: number;
  place: number;
  /** Returns the start of the next repetition; null for a job that does not repeat. */
  again: ((job: Job, now: number) => number) | null;
  /** Whether a failed call is skipped until the next repetition instead of being retried. */
  goesOn: boolean;
};

const polls = Array.from({ length: 4 }, () => 'readListing');
const itemCalls = [
  ...['createListing', 'readStanding', 'requestUploads', 'put', 'put', 'put', 'put'],
  ...['readStanding', 'generateListing', ...polls],
];
const gapMs = 300;
const pollGapMs = 6_000;
/** The calls that an assistant repeats after its daily budgets reset. */
const heldCalls = ['readInventory', 'searchComps', 'readDaySales', 'quoteFees', 'searchComps'];

/**
 * Simulates the automatic calls of a companion with the real pacing functions. Calls take no time, and the companion knows
 * no other companion.
 */
export const createFleetCompanion = (world: World, random: Random, count: (now: number) => void) => {
  let service: CircuitBreaker = createCircuitBreaker(random);
  let storage: CircuitBreaker = createCircuitBreaker(random);
  let jobs: Job[] = [];

  const job = (at: number, calls: readonly string[], more: Partial<Job> = {}): Job => {
    const one = { at, due: at, hasWaited: false, calls, gapMs, place: 0, again: null, goesOn: false, ...more };
    jobs.push(one);
    return one;
  };
  const notifications = (at: number) =>
    job(at, ['listNotifications'], {
      goesOn: true,
      again: ({ due }, now) => Math.max(now, due + getRandomDelayMs('notifications', random)),
    });
  const pages = Array.from({ length: 1 + Math.floor(world.random() ** 4 * 4) }, () => 'listListings');
  const listings = (at: number) => job(at, pages, { again: (_job, now) => getListingsDueAt(now, now, false, random) });
  const nextItem = (now: number): number => now - (Math.log(1 - world.random()) / world.itemsADay) * 24 * hour;
  const item = (at: number, more: Partial<Job> = {}) => job(at, itemCalls, more);
  const items = (at: number) => item(at, { again: (_job, now) => nextItem(now) });

  const step = (one: Job): void => {
    const now = one.at;
    const lane = one.calls[one.place] ?? '';
    const breaker = lane === 'put' ? storage : service;
    const isHeld = breaker.earliestSendAt(lane) > now;
    const at = computeSendAt(breaker, { lane, now, hasWaited: one.hasWaited }, random);
    one.hasWaited = isHeld;
    if (at > now) return void (one.at = at);
    const { verdict, arrives } = world.service(now);
    if (arrives) count(now);
    breaker.end(breaker.begin(lane), verdict, now);
    // The result of this call can end the wait of other jobs.
    for (const other of jobs) if (other.hasWaited && other !== one) other.at = Math.min(other.at, now);
    if (verdict.kind === 'up') one.place += 1;
    else if (!one.goesOn) return;
    if (one.goesOn || one.place === one.calls.length) return begin(one, now);
    one.at = now + (lane === 'readListing' || lane === 'generateListing' ? pollGapMs : one.gapMs);
  };

  const begin = (one: Job, now: number): void => {
    if (one.again === null) return void (jobs = jobs.filter((other) => other !== one));
    one.place = 0;
    one.at = one.again(one, now);
    one.due = one.at;
  };

  return {
    runs: (now: number): void => {
      jobs = [];
      notifications(now + world.random() * getRandomDelayMs('notifications', random));
      listings(now + world.random() * 6.75 * hour);
      items(nextItem(now));
    },
    starts: (now: number, itemsOnTheirWay: number, listingsReadAt: number, hasWindow: boolean): void => {
      jobs = [];
      service = createCircuitBreaker(random);
      storage = createCircuitBreaker(random);
      const quietMs = getRandomDelayMs('start', random);
      for (const breaker of [service, storage]) breaker.delayAll(now, quietMs);
      notifications(now + getRandomDelayMs('startNotifications', random));
      job(now + getRandomDelayMs('startRoutes', random), ['readRoutes']);
      // An open window reads the standing at once, but that is not an automatic call.
      if (!hasWindow) job(now + getRandomDelayMs('startStanding', random), ['readStanding']);
      listings(getListingsDueAt(listingsReadAt, now, true, random));
      for (let nth = 0; nth < itemsOnTheirWay; nth += 1) item(now);
      items(nextItem(now));
    },
    /** Lets an assistant repeat its refused calls when the daily budgets reset. */
    isHeldBack: (now: number): void => void job(getBudgetRenewalAt(now, random), heldCalls, { gapMs: 2_000 }),
    run: (until: number): void => {
      for (;;) {
        let next = jobs[0];
        for (const one of jobs) if (next === undefined || one.at < next.at) next = one;
        if (next === undefined || next.at >= until) return;
        step(next);
      }
    },
  };
};
