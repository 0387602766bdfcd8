import * as z from 'zod';
import { limits, plans, type PlanCode } from '../../contract/index.ts';
import { dayMs, formatIsoTime } from '../clock.ts';
import { selectAllRows, runInTransaction, runStatement } from '../database.ts';
import { createPrefixedId } from '../ids.ts';
import { refuseCall } from '../refusal.ts';
import { addUtcMonths, isTrialOffered } from './allowance.ts';
import { saveExtrasOff } from './extras.ts';
import { recordJournalEffect } from './journal.ts';
import { sendPracticeMail } from './messages.ts';
import { requirePersonById, type Person } from './people.ts';
import type { World } from './world.ts';

const findPlanByCode = (tier: string): (typeof plans)[number] | undefined => plans.find(({ code }) => code === tier);

/** Returns the plan to buy. Refuses an unknown plan, or a trial that the person may not start. */
export const requireBuyablePlan = (person: Person, tier: string, trial: boolean): PlanCode => {
  const plan = findPlanByCode(tier.toLowerCase());
  if (!plan || plan.code === 'free') return refuseCall(400, `tier: There is no plan "${tier}" to buy.`);
  if (trial && (plan.code !== limits.trial.plan || !isTrialOffered(person)))
    return refuseCall(400, 'trial: The trial is not offered here.');
  return plan.code;
};

export const requireNoSubscription = (person: Person): void => {
  if (person.billing !== 'none')
    refuseCall(409, 'This account already subscribes. Change the plan in the billing portal.', 'ALREADY_SUBSCRIBED');
};

const invoiceRow = z.object({ invoiceId: z.string(), text: z.string(), amountCents: z.int(), at: z.int() });

/** Returns the latest 200 invoices of a person, newest first; amounts in US cents. */
export const listPersonInvoices = ({ db }: World, userId: string) =>
  selectAllRows(
    db,
    invoiceRow,
    'SELECT invoiceId, text, amountCents, at FROM invoices WHERE userId = ? ORDER BY at DESC, rowid DESC LIMIT 200',
    userId,
  ).map(({ at, ...invoice }) => ({ ...invoice, currency: 'USD', at: formatIsoTime(at) }));

type InvoiceDraft = { what: 'plan' | 'credits'; text: string; amountCents: number; at: number };

const addChargedInvoice = (world: World, userId: string, { what, text, amountCents, at }: InvoiceDraft): void => {
  runStatement(
    world.db,
    'INSERT INTO invoices (invoiceId, userId, text, amountCents, at) VALUES (?, ?, ?, ?, ?)',
    createPrefixedId('inv'),
    userId,
    text,
    amountCents,
    at,
  );
  recordJournalEffect(world, 'charge', { userId, what, amountMinor: amountCents, currency: 'USD', text });
};

const addOneMonth = (at: number): number => addUtcMonths(new Date(at), 1);

const billPlanMonth = (world: World, { userId, plan }: { userId: string; plan: PlanCode }, at: number): void => {
  const { name, priceCents } = findPlanByCode(plan) ?? plans[0];
  addChargedInvoice(world, userId, { what: 'plan', text: `${name}, one month`, amountCents: priceCents, at });
};

/** Returns the time of the next monthly bill if a subscription starts now. */
export const computeNextBillAt = ({ clock }: World): number => addOneMonth(clock.now());

/** Starts a plan after the person has confirmed the checkout. Extras are turned off. */
export const startPaidPlan = (world: World, userId: string, code: PlanCode, trial: boolean): void =>
  runInTransaction(world.db, () => {
    const person = requirePersonById(world, userId);
    const plan = findPlanByCode(code) ?? plans[0];
    const trialEndsAt = trial ? world.clock.now() + limits.trial.days * dayMs : null;
    runStatement(
      world.db,
      `UPDATE people SET plan = ?, billing = 'card', trialEndsAt = ?, renewsAt = ?, trialEligible = 0, subscription = 'active'
       WHERE userId = ?`,
      code,
      trialEndsAt,
      trialEndsAt ?? computeNextBillAt(world),
      userId,
    );
    saveExtrasOff(world, userId);
    recordJournalEffect(world, 'plan', { userId, plan: code, trial });
    if (!trial) billPlanMonth(world, { userId, plan: code }, world.clock.now());
    sendPracticeMail(world, userId, {
      to: person.email,
      subject: `Your ${plan.name} plan has started`,
      text: trial ? `The trial lasts ${limits.trial.days} days.` : `It has ${plan.listingsPerMonth} listings a month.`,
    });
  });

/** Bills every month that has begun and ends an expired trial. Returns the updated person. */
export const billDueMonths = (world: World, person: Person): Person => {
  const now = world.clock.now();
  if (person.renewsAt === null || person.renewsAt > now) return person;
  return runInTransaction(world.db, () => {
    const { userId, plan, renewsAt } = requirePersonById(world, person.userId);
    let due = renewsAt ?? Infinity;
    for (; due <= now; due = addOneMonth(due)) billPlanMonth(world, { userId, plan }, due);
    if (Number.isFinite(due))
      runStatement(world.db, 'UPDATE people SET renewsAt = ?, trialEndsAt = NULL WHERE userId = ?', due, userId);
    return requirePersonById(world, userId);
  });
};

export const creditPacks = [
  { productId: 'credits_5', name: '5 listing credits', credits: 5, priceCents: 499 },
  { productId: 'credits_20', name: '20 listing credits', credits: 20, priceCents: 1_799 },
] as const;

/** Adds credits at once and bills them, as the phone app does. */
export const buyCreditPack = (world: World, userId: string, productId: string): { credits: number } =>
  runInTransaction(world.db, () => {
    const pack = creditPacks.find((creditPack) => creditPack.productId === productId);
    if (!pack) return refuseCall(400, `productId: There is no product "${productId}".`);
    runStatement(world.db, 'UPDATE people SET credits = credits + ? WHERE userId = ?', pack.credits, userId);
    addChargedInvoice(world, userId, {
      what: 'credits',
      text: pack.name,
      amountCents: pack.priceCents,
      at: world.clock.now(),
    });
    return { credits: requirePersonById(world, userId).credits };
  });

/** Changes the plan after the person has confirmed it in the portal; `free` cancels the subscription. */
export const changePortalPlan = (world: World, userId: string, code: PlanCode): void =>
  runInTransaction(world.db, () => {
    if (code !== 'free') return startPaidPlan(world, userId, code, false);
    runStatement(
      world.db,
      "UPDATE people SET plan = 'free', billing = 'none', trialEndsAt = NULL, renewsAt = NULL WHERE userId = ?",
      userId,
    );
    saveExtrasOff(world, userId);
    recordJournalEffect(world, 'plan', { userId, plan: 'free' });
  });
