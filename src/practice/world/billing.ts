import * as z from 'zod';
import { limits, plans, type PlanCode } from '../../contract/index.ts';
import { dayMs, isoOf } from '../clock.ts';
import { all, atomically, run } from '../database.ts';
import { newId } from '../ids.ts';
import { refuse } from '../refusal.ts';
import { note } from './journal.ts';
import { sendMail } from './outbox.ts';
import { knownPerson, type Person } from './people.ts';
import type { World } from './world.ts';

const planNamed = (tier: string): (typeof plans)[number] | undefined => plans.find(({ code }) => code === tier);

/** The plan that somebody may buy; refused when it is none, and a trial only where it is offered. */
export const buyablePlan = (person: Person, tier: string, trial: boolean): PlanCode => {
  const plan = planNamed(tier.toLowerCase());
  if (!plan || plan.code === 'free') return refuse(400, `tier: There is no plan "${tier}" to buy.`);
  if (trial && (plan.code !== limits.trial.plan || !person.trialEligible))
    return refuse(400, 'trial: The trial is not offered here.');
  return plan.code;
};

/** Refuses a new subscription to somebody who has one. */
export const requireNoSubscription = (person: Person): void => {
  if (person.billing !== 'none')
    refuse(409, 'This account already subscribes. Change the plan in the billing portal.', 'ALREADY_SUBSCRIBED');
};

const invoiceRow = z.object({ invoiceId: z.string(), text: z.string(), amountCents: z.int(), at: z.int() });

export const invoicesOf = ({ db }: World, userId: string) =>
  all(
    db,
    invoiceRow,
    'SELECT invoiceId, text, amountCents, at FROM invoices WHERE userId = ? ORDER BY at DESC, rowid DESC LIMIT 200',
    userId,
  ).map(({ at, ...invoice }) => ({ ...invoice, currency: 'USD', at: isoOf(at) }));

const bill = (world: World, userId: string, text: string, amountCents: number): void => {
  run(
    world.db,
    'INSERT INTO invoices (invoiceId, userId, text, amountCents, at) VALUES (?, ?, ?, ?, ?)',
    newId('inv'),
    userId,
    text,
    amountCents,
    world.clock.now(),
  );
  note(world, 'charge', { userId, what: 'plan', amountMinor: amountCents, currency: 'USD', text });
};

/** What the person's click at the checkout does: the plan starts, with extras off. */
export const startPlan = (world: World, userId: string, code: PlanCode, trial: boolean): void =>
  atomically(world.db, () => {
    const person = knownPerson(world, userId);
    const plan = planNamed(code) ?? plans[0];
    const trialEndsAt = trial ? world.clock.now() + limits.trial.days * dayMs : null;
    run(
      world.db,
      `UPDATE people SET plan = ?, billing = 'card', trialEndsAt = ?, trialEligible = 0, extrasEnabled = 0 WHERE userId = ?`,
      code,
      trialEndsAt,
      userId,
    );
    note(world, 'plan', { userId, plan: code, trial });
    if (!trial) bill(world, userId, `${plan.name}, one month`, plan.priceCents);
    sendMail(world, userId, {
      to: person.email,
      subject: `Your ${plan.name} plan has started`,
      text: trial ? `The trial lasts ${limits.trial.days} days.` : `It has ${plan.listingsPerMonth} listings a month.`,
    });
  });

/** The person as they are now: a trial whose days are over has become the plan, and is billed. */
export const afterTrial = (world: World, person: Person): Person => {
  const { userId, trialEndsAt } = person;
  if (trialEndsAt === null || trialEndsAt > world.clock.now()) return person;
  return atomically(world.db, () => {
    const ended = run(
      world.db,
      'UPDATE people SET trialEndsAt = NULL WHERE userId = ? AND trialEndsAt IS NOT NULL',
      userId,
    );
    const plan = planNamed(person.plan) ?? plans[0];
    if (ended === 1) bill(world, userId, `${plan.name}, one month`, plan.priceCents);
    return knownPerson(world, userId);
  });
};

/** What the person's click in the portal does: another plan, or none. */
export const changePlan = (world: World, userId: string, code: PlanCode): void =>
  atomically(world.db, () => {
    if (code !== 'free') return startPlan(world, userId, code, false);
    run(
      world.db,
      "UPDATE people SET plan = 'free', billing = 'none', trialEndsAt = NULL, extrasEnabled = 0 WHERE userId = ?",
      userId,
    );
    run(
      world.db,
      'UPDATE extrasApprovals SET endedAt = ? WHERE userId = ? AND endedAt IS NULL',
      world.clock.now(),
      userId,
    );
    note(world, 'plan', { userId, plan: 'free' });
  });
