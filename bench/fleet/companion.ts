import {
  createCircuitBreaker,
  computeSendTime,
  type CircuitBreaker,
  type CallVerdict,
} from '../../src/core/service/pacing/circuitBreaker.ts';
import { drawWaitMs, drawListingsDueAt, drawNewBudgetsAt } from '../../src/core/service/pacing/waits.ts';
import type { Random } from '../../src/core/base/ports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The service as it stands at a time: what it says, and whether a call gets as far as there. */
export type Service = (now: number) => { verdict: CallVerdict; arrives: boolean };

/** What the people do, whatever the companions do. */
export type World = {
  service: Service;
  random: Random;
  /** How many items a companion gets in a day. */
  itemsADay: number;
};

/** One thing that a companion does by itself: calls, one after the other, and then perhaps the same again later. */
type Job = {
  at: number;
  /** When it would have gone, had nothing held it back. */
  due: number;
  hasWaited: boolean;
  calls: readonly string[];
  gapMs: number;
  place: number;
  /** When it begins anew after the last call; null for never. */
  again: ((job: Job, now: number) => number) | null;
  /** It is not made again for want of the service, but begins anew. */
  goesOn: boolean;
};

const polls = Array.from({ length: 4 }, () => 'readListing');
const itemCalls = [
  ...['createListing', 'readStanding', 'requestUploads', 'put', 'put', 'put', 'put'],
  ...['readStanding', 'generateListing', ...polls],
];
const gapMs = 300;
const pollGapMs = 6_000;
/** Calls of an assistant that was held back until there are new budgets. */
const heldCalls = ['readInventory', 'searchComps', 'readDaySales', 'quoteFees', 'searchComps'];

/**
 * A companion that does by itself what the real one does, with the very functions that pace the real one: when it reads,
 * what waits for the service and which call tests the way. Its calls take no time, and nobody else is known to it.
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
      again: ({ due }, now) => Math.max(now, due + drawWaitMs('notifications', random)),
    });
  const pages = Array.from({ length: 1 + Math.floor(world.random() ** 4 * 4) }, () => 'listListings');
  const listings = (at: number) => job(at, pages, { again: (_job, now) => drawListingsDueAt(now, now, false, random) });
  const nextItem = (now: number): number => now - (Math.log(1 - world.random()) / world.itemsADay) * 24 * hour;
  const item = (at: number, more: Partial<Job> = {}) => job(at, itemCalls, more);
  const items = (at: number) => item(at, { again: (_job, now) => nextItem(now) });

  /** Makes the next call of a job, or puts it off. */
  const step = (one: Job): void => {
    const now = one.at;
    const lane = one.calls[one.place] ?? '';
    const breaker = lane === 'put' ? storage : service;
    const isHeld = breaker.earliestSendAt(lane) > now;
    const at = computeSendTime(breaker, { lane, now, hasWaited: one.hasWaited }, random);
    one.hasWaited = isHeld;
    if (at > now) return void (one.at = at);
    const { verdict, arrives } = world.service(now);
    if (arrives) count(now);
    breaker.end(breaker.begin(lane), verdict, now);
    // Whoever waits looks again, as something has changed.
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
    /** It has been running for long. */
    runs: (now: number): void => {
      jobs = [];
      notifications(now + world.random() * drawWaitMs('notifications', random));
      listings(now + world.random() * 6.75 * hour);
      items(nextItem(now));
    },
    /** It starts: with so many items on their way, and the listings last read at that time. */
    starts: (now: number, itemsOnTheirWay: number, listingsReadAt: number, hasWindow: boolean): void => {
      jobs = [];
      service = createCircuitBreaker(random);
      storage = createCircuitBreaker(random);
      const quietMs = drawWaitMs('start', random);
      for (const breaker of [service, storage]) breaker.delayAll(now, quietMs);
      notifications(now + drawWaitMs('startNotifications', random));
      job(now + drawWaitMs('startRoutes', random), ['readRoutes']);
      // A window gets its standing at once, and that one is waited for.
      if (!hasWindow) job(now + drawWaitMs('startStanding', random), ['readStanding']);
      listings(drawListingsDueAt(listingsReadAt, now, true, random));
      for (let nth = 0; nth < itemsOnTheirWay; nth += 1) item(now);
      items(nextItem(now));
    },
    /** An assistant of its was refused for want of a daily budget, and does the rest when there is a new one. */
    isHeldBack: (now: number): void => void job(drawNewBudgetsAt(now, random), heldCalls, { gapMs: 2_000 }),
    /** Lets time run until then. */
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
