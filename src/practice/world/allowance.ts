import { plans } from '../../contract/index.ts';
import { count } from '../columns.ts';
import { one, run } from '../database.ts';
import { usableApproval, useApproval, type ExtrasApproval } from './extras.ts';
import type { Key } from './keys.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

/** The plan of a person as the table has it; a trial that is over is the paid plan. */
export const planOf = (person: Person): (typeof plans)[number] =>
  plans.find(({ code }) => code === person.plan) ?? plans[0];

/** A time some months later, on the same day or the last one of a shorter month. */
export const monthsAfter = (anchor: Date, months: number): number => {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  // The 31st of a short month is its last day.
  const day = Math.min(anchor.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  const time = anchor.getTime() % 86_400_000;
  return Date.UTC(year, month, day) + time;
};

/** The month of included listings that a time falls in, counted from the day of the account. */
export const periodOf = (anchorAt: number, now: number): { startsAt: number; endsAt: number } => {
  const anchor = new Date(anchorAt);
  const today = new Date(now);
  let months = (today.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + today.getUTCMonth() - anchor.getUTCMonth();
  while (monthsAfter(anchor, months) > now) months -= 1;
  return { startsAt: monthsAfter(anchor, months), endsAt: monthsAfter(anchor, months + 1) };
};

/** Listings of the plan used in this period. */
export const usedOfPlan = (world: World, person: Person): number =>
  one(
    world.db,
    count,
    "SELECT COUNT(*) AS n FROM uses WHERE userId = ? AND source = 'plan' AND at >= ?",
    person.userId,
    periodOf(person.createdAt, world.clock.now()).startsAt,
  )?.n ?? 0;

/** Listings of the plan that are left in this period. */
export const remainingOfPlan = (world: World, person: Person): number =>
  Math.max(0, planOf(person).listingsPerMonth - usedOfPlan(world, person));

/** Says how many listings of the plan are used this month, so that nobody has to write them. */
export const setUsed = (world: World, person: Person, used: number): void => {
  const { userId, createdAt } = person;
  const now = world.clock.now();
  run(
    world.db,
    "DELETE FROM uses WHERE userId = ? AND source = 'plan' AND at >= ?",
    userId,
    periodOf(createdAt, now).startsAt,
  );
  for (let at = 0; at < used; at += 1)
    run(world.db, "INSERT INTO uses (userId, listingId, source, at) VALUES (?, '', 'plan', ?)", userId, now);
};

/** Where the next listing would come from. */
type Source = 'plan' | 'credit' | 'extra';

/** The source of one more listing, or null when there is none. */
export const sourceFor = (world: World, person: Person, approval: ExtrasApproval | null): Source | null => {
  if (remainingOfPlan(world, person) > 0) return 'plan';
  if (person.credits > 0) return 'credit';
  return approval ? 'extra' : null;
};

/** Takes one listing of the allowance: plan, then credits, then the extras that this assistant may use. */
export const takeListing = (
  world: World,
  person: Person,
  key: Key,
  listingId: string,
  named: ExtrasApproval | null,
): Source | null => {
  const approval = named ?? usableApproval(world, person, key);
  const source = sourceFor(world, person, approval);
  if (source === null) return null;
  if (source === 'credit') run(world.db, 'UPDATE people SET credits = credits - 1 WHERE userId = ?', person.userId);
  if (source === 'extra' && approval) useApproval(world, approval, listingId);
  run(
    world.db,
    'INSERT INTO uses (userId, listingId, source, approvalId, at) VALUES (?, ?, ?, ?, ?)',
    person.userId,
    listingId,
    source,
    source === 'extra' ? (approval?.approvalId ?? null) : null,
    world.clock.now(),
  );
  return source;
};
