import * as z from 'zod';
import { limits, plans, type PlanCode } from '../../contract/index.ts';
import { dayMs, isoOf } from '../clock.ts';
import { all, atomically, run } from '../database.ts';
import { newId } from '../ids.ts';
import { refuse } from '../refusal.ts';
import { monthsAfter, offersTrial } from './allowance.ts';
import { switchExtrasOff } from './extras.ts';
import { recordEffect } from './journal.ts';
import { sendMail } from './messages.ts';
import { requirePerson, type Person } from './people.ts';
import type { World } from './world.ts';

const planNamed = (tier: string): (typeof plans)[number] | undefined => plans.find(({ code }) => code === tier);

/** Returns the plan to buy. Refuses an unknown plan, and a trial that is not offered. */
export const buyablePlan = (person: Person, tier: string, trial: boolean): PlanCode => {
  const plan = planNamed(tier.toLowerCase());
  if (!plan || plan.code === 'free') return refuse(400, `tier: There is no plan "${tier}" to buy.`);
  if (trial && (plan.code !== limits.trial.plan || !offersTrial(person)))
    return refuse(400, 'trial: The trial is not offered here.');
  return plan.code;
};

/** Refuses a new subscription if the person already has a subscription. */
export const requireNoSubscription = (person: Person): void => {
  if (person.billing !== 'none')
    refuse(409, 'This account already subscribes. Change the plan in the billing portal.', 'ALREADY_SUBSCRIBED');
};

const invoiceRow = z.object({ invoiceId: z.string(), text: z.string(), amountCents: z.int(), at: z.int() });

/** Returns the latest 200 invoices of a person, newest first; amounts in US cents. */
export const invoicesOf = ({ db }: World, userId: string) =>
  all(
    db,
    invoiceRow,
    'SELECT invoiceId, text, amountCents, at FROM invoices WHERE userId = ? ORDER BY at DESC, rowid DESC LIMIT 200',
    userId,
  ).map(({ at, ...invoice }) => ({ ...invoice, currency: 'USD', at: isoOf(at) }));

type Bill = { what: 'plan' | 'credits'; text: string; amountCents: number; at: number };

const addInvoice = (world: World, userId: string, { what, text, amountCents, at }: Bill): void => {
  run(
    world.db,
    'INSERT INTO invoices (invoiceId, userId, text, amountCents, at) VALUES (?, ?, ?, ?, ?)',
    newId('inv'),
    userId,
    text,
    amountCents,
    at,
  );
  recordEffect(world, 'charge', { userId, what, amountMinor: amountCents, currency: 'USD', text });
};

const monthAfter = (at: number): number => monthsAfter(new Date(at), 1);

const billMonth = (world: World, { userId, plan }: { userId: string; plan: PlanCode }, at: number): void => {
  const { name, priceCents } = planNamed(plan) ?? plans[0];
  addInvoice(world, userId, { what: 'plan', text: `${name}, one month`, amountCents: priceCents, at });
};

/** Returns when the next monthly bill of a subscription that starts now is due. */
export const nextBillAt = ({ clock }: World): number => monthAfter(clock.now());

/** Starts a plan after the person's click at the checkout, with extras turned off. */
export const startPlan = (world: World, userId: string, code: PlanCode, trial: boolean): void =>
  atomically(world.db, () => {
    const person = requirePerson(world, userId);
    const plan = planNamed(code) ?? plans[0];
    const trialEndsAt = trial ? world.clock.now() + limits.trial.days * dayMs : null;
    run(
      world.db,
      `UPDATE people SET plan = ?, billing = 'card', trialEndsAt = ?, renewsAt = ?, trialEligible = 0, subscription = 'active'
       WHERE userId = ?`,
      code,
      trialEndsAt,
      trialEndsAt ?? nextBillAt(world),
      userId,
    );
    switchExtrasOff(world, userId);
    recordEffect(world, 'plan', { userId, plan: code, trial });
    if (!trial) billMonth(world, { userId, plan: code }, world.clock.now());
    sendMail(world, userId, {
      to: person.email,
      subject: `Your ${plan.name} plan has started`,
      text: trial ? `The trial lasts ${limits.trial.days} days.` : `It has ${plan.listingsPerMonth} listings a month.`,
    });
  });

/** Bills all months that have begun and ends an expired trial. Returns the updated person. */
export const billDueMonths = (world: World, person: Person): Person => {
  const now = world.clock.now();
  if (person.renewsAt === null || person.renewsAt > now) return person;
  return atomically(world.db, () => {
    const { userId, plan, renewsAt } = requirePerson(world, person.userId);
    let due = renewsAt ?? Infinity;
    for (; due <= now; due = monthAfter(due)) billMonth(world, { userId, plan }, due);
    if (Number.isFinite(due))
      run(world.db, 'UPDATE people SET renewsAt = ?, trialEndsAt = NULL WHERE userId = ?', due, userId);
    return requirePerson(world, userId);
  });
};

export const creditPacks = [
  { productId: 'credits_5', name: '5 listing credits', credits: 5, priceCents: 499 },
  { productId: 'credits_20', name: '20 listing credits', credits: 20, priceCents: 1_799 },
] as const;

/** Buys credits as the phone app does: adds them at once and bills them. */
export const buyCredits = (world: World, userId: string, productId: string): { credits: number } =>
  atomically(world.db, () => {
    const pack = creditPacks.find((one) => one.productId === productId);
    if (!pack) return refuse(400, `productId: There is no product "${productId}".`);
    run(world.db, 'UPDATE people SET credits = credits + ? WHERE userId = ?', pack.credits, userId);
    addInvoice(world, userId, {
      what: 'credits',
      text: pack.name,
      amountCents: pack.priceCents,
      at: world.clock.now(),
    });
    return { credits: requirePerson(world, userId).credits };
  });

/** Changes the plan after the person's click in the portal; `free` cancels the subscription. */
export const changePlan = (world: World, userId: string, code: PlanCode): void =>
  atomically(world.db, () => {
    if (code !== 'free') return startPlan(world, userId, code, false);
    run(
      world.db,
      "UPDATE people SET plan = 'free', billing = 'none', trialEndsAt = NULL, renewsAt = NULL WHERE userId = ?",
      userId,
    );
    switchExtrasOff(world, userId);
    recordEffect(world, 'plan', { userId, plan: 'free' });
  });
