import * as z from 'zod';
import { limits, type PlanCode } from '../../contract/index.ts';
import { one, run, all, atomically } from '../database.ts';
import { refuse, retryAfter } from '../refusal.ts';
import { recordEffect } from './journal.ts';
import type { Key } from './keys.ts';
import { type Person, requirePerson } from './people.ts';
import type { World } from './world.ts';
import { dayMs } from '../clock.ts';
import { randomText } from '../ids.ts';
import { requireMail, waitForMail } from './disruptions.ts';
import { sendMail } from './messages.ts';

/** The store of the phone app. */
export const appStore = 'App Store';

/** The price of one extra listing per plan, in US cents; null if the plan has no extras. */
export const extraRates: Readonly<Record<PlanCode, number | null>> = {
  free: null,
  lite: 60,
  starter: 55,
  pro: 50,
  business: 48,
  scale: 47,
};

const approvalRow = z.object({
  approvalId: z.string(),
  userId: z.string(),
  keyId: z.string(),
  count: z.int(),
  used: z.int(),
  rateCents: z.int(),
  endedAt: z.int().nullable(),
  createdAt: z.int(),
});

/** The person's approval of a number of paid extra listings for one assistant. */
export type ExtrasApproval = z.infer<typeof approvalRow>;

export const onTrial = ({ clock }: World, person: Person): boolean =>
  person.trialEndsAt !== null && person.trialEndsAt > clock.now();

const subscriptionProblems = { active: null, past_due: 'not active', pending: 'not ready' } as const;

type ExtrasProblem = 'free' | 'trial' | 'store' | 'not active' | 'not ready';

/** Returns why a person's plan cannot use extras, or null if it can. */
export const extrasProblem = (world: World, person: Person): ExtrasProblem | null => {
  if (extraRates[person.plan] === null) return 'free';
  if (onTrial(world, person)) return 'trial';
  if (person.billing === 'store') return 'store';
  return subscriptionProblems[person.subscription];
};

const isUsable = ({ clock }: World, approval: ExtrasApproval): boolean =>
  approval.endedAt === null &&
  approval.used < approval.count &&
  clock.now() - approval.createdAt < limits.extras.approvalLifeMs;

/** Returns the usable approval of this assistant, or null. */
export const usableApproval = (world: World, person: Person, key: Key): ExtrasApproval | null => {
  if (!person.extrasEnabled || extrasProblem(world, person) !== null) return null;
  const approval = one(
    world.db,
    approvalRow,
    'SELECT * FROM extrasApprovals WHERE userId = ? AND keyId = ? AND endedAt IS NULL ORDER BY createdAt DESC',
    person.userId,
    key.keyId,
  );
  return approval && isUsable(world, approval) ? approval : null;
};

/** Returns the approval that a call names. Refuses before any work starts if this assistant cannot use it. */
export const requireApproval = (world: World, person: Person, key: Key, approvalId: string): ExtrasApproval => {
  const usable = usableApproval(world, person, key);
  if (usable?.approvalId === approvalId) return usable;
  return refuse(
    409,
    'This approval of extra listings is used up, expired, replaced or held by another assistant.',
    'EXTRAS_APPROVAL_REQUIRED',
  );
};

/** Uses one listing of an approval and charges it. */
export const chargeExtraListing = (world: World, approval: ExtrasApproval, listingId: string): void => {
  run(world.db, 'UPDATE extrasApprovals SET used = used + 1 WHERE approvalId = ?', approval.approvalId);
  recordEffect(world, 'charge', {
    userId: approval.userId,
    listingId,
    what: 'extra',
    amountMinor: approval.rateCents,
    currency: 'USD',
    approvalId: approval.approvalId,
  });
};

const problemMessages = {
  free: 'The free plan has no extra listings.',
  trial: 'There are no extra listings during the trial.',
  store: `The plan was bought in the ${appStore}, which has no extra listings.`,
  'not active': 'The plan is not paid for, so it has no extra listings.',
  'not ready': 'The plan is still being set up, so it has no extra listings yet.',
} as const;

const endApprovals = (world: World, userId: string): void => {
  run(
    world.db,
    'UPDATE extrasApprovals SET endedAt = ? WHERE userId = ? AND endedAt IS NULL',
    world.clock.now(),
    userId,
  );
};

const rateChanged = (rateCents: number | null): never =>
  refuse(409, 'The rate of an extra listing is not the one that was told to the person.', 'RATE_CHANGED', {
    body: { rateCents },
  });

/** Turns extras off and ends every approval. */
export const switchExtrasOff = (world: World, userId: string): void => {
  run(world.db, 'UPDATE people SET extrasEnabled = 0 WHERE userId = ?', userId);
  endApprovals(world, userId);
};

const turnOff = (world: World, { userId }: Person): void => {
  switchExtrasOff(world, userId);
  recordEffect(world, 'extras', { userId, enabled: false });
};

const notMailed = 'The person could not be e-mailed, so nothing was changed. Try again in a minute.';

const sendReceipt = (world: World, person: Person, rateCents: number | null): void => {
  requireMail(world, notMailed, 'TRY_AGAIN');
  run(world.db, 'UPDATE people SET extrasReceipt = 1 WHERE userId = ?', person.userId);
  sendMail(world, person.userId, {
    to: person.email,
    subject: 'Extra listings are on',
    text: `Each costs US$${((rateCents ?? 0) / 100).toFixed(2)}, and none is used without your approval.`,
  });
};

/** Refuses to turn extras on if the plan or the rate does not allow it, or if they were turned on too recently. */
const requireTurnOn = (world: World, person: Person, acknowledged: number | undefined): void => {
  const problem = extrasProblem(world, person);
  if (problem !== null) refuse(409, problemMessages[problem], 'overage-unavailable', { body: { reason: problem } });
  const rateCents = extraRates[person.plan];
  if (acknowledged !== rateCents) rateChanged(rateCents);
  const since = person.extrasOnAt === null ? Infinity : world.clock.now() - person.extrasOnAt;
  if (!person.extrasEnabled && since < limits.extras.turnOnEveryMs)
    refuse(429, 'An assistant already turned extra listings on in the last 24 hours.', 'EXTRAS_ON_LIMIT', {
      headers: retryAfter(limits.extras.turnOnEveryMs - since),
    });
};

const turnOn = (world: World, person: Person): void => {
  const { userId, extrasEnabled, extrasReceipt } = person;
  const rateCents = extraRates[person.plan];
  if (extrasEnabled) return extrasReceipt ? undefined : sendReceipt(world, person, rateCents);
  run(world.db, 'UPDATE people SET extrasEnabled = 1, extrasOnAt = ? WHERE userId = ?', world.clock.now(), userId);
  recordEffect(world, 'extras', { userId, enabled: true, rateCents });
  sendReceipt(world, person, rateCents);
};

/** Serialises the billing state, so that a change during an `await` can be detected. */
const billingState = ({ plan, billing, subscription, trialEndsAt, ...person }: Person): string =>
  JSON.stringify([
    ...[plan, billing, subscription, trialEndsAt],
    ...[person.extrasEnabled, person.extrasOnAt, person.extrasReceipt],
  ]);

/** Turns extras on at the acknowledged rate, or off. Turning off always works and ends every approval. */
export const setExtras = async (
  world: World,
  userId: string,
  enabled: boolean,
  acknowledged: number | undefined,
): Promise<void> => {
  const before = requirePerson(world, userId);
  if (!enabled) return atomically(world.db, () => turnOff(world, before));
  requireTurnOn(world, before, acknowledged);
  await waitForMail(world);
  atomically(world.db, () => {
    const person = requirePerson(world, userId);
    if (billingState(person) !== billingState(before))
      refuse(
        409,
        'The account was changed at the same time. Look at it, then try once more.',
        'overage-state-conflict',
      );
    requireTurnOn(world, person, acknowledged);
    turnOn(world, person);
  });
};

const approved = z.object({ count: z.int(), createdAt: z.int() });

/** Refuses more extra listings than the daily limit over all assistants of a person. */
const requireDailyShare = (world: World, person: Person, count: number): void => {
  const since = world.clock.now() - dayMs;
  const today = all(
    world.db,
    approved,
    'SELECT count, createdAt FROM extrasApprovals WHERE userId = ? AND createdAt > ? ORDER BY createdAt',
    person.userId,
    since,
  );
  const sum = today.reduce((total, row) => total + row.count, 0);
  if (sum + count > limits.extras.perDay)
    refuse(
      429,
      `Assistants can set aside ${limits.extras.perDay} extra listings a day; ${sum} are.`,
      'EXTRAS_DAILY_LIMIT',
      {
        headers: retryAfter((today[0]?.createdAt ?? since) - since || dayMs),
      },
    );
};

/** Refuses an approval if the person's plan, setting or rate does not allow it. */
const requireApprovable = (person: Person, problem: ExtrasProblem | null, rateCents: number): void => {
  if (problem !== null) refuse(409, problemMessages[problem], 'EXTRAS_UNAVAILABLE', { body: { reason: problem } });
  if (!person.extrasEnabled) refuse(409, 'Extra listings are off.', 'EXTRAS_OFF');
  if (!person.extrasReceipt)
    refuse(
      409,
      'The mail about turning extra listings on was never sent. Turn them on again.',
      'EXTRAS_ON_UNCONFIRMED',
    );
  const rate = extraRates[person.plan];
  if (rateCents !== rate) rateChanged(rate);
};

type WantedExtras = { count: number; rateCents: number };

const saveApproval = (world: World, person: Person, key: Key, { count, rateCents }: WantedExtras): string => {
  const { userId, email: to } = person;
  endApprovals(world, userId);
  const approvalId = `xa_${randomText(12)}`;
  run(
    world.db,
    'INSERT INTO extrasApprovals (approvalId, userId, keyId, count, rateCents, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
    ...[approvalId, userId, key.keyId, count, rateCents, world.clock.now()],
  );
  recordEffect(world, 'extras', { userId, approvalId, count, rateCents });
  requireMail(world, notMailed, 'TRY_AGAIN');
  sendMail(world, userId, {
    to,
    subject: `Receipt: up to ${count} extra ${count === 1 ? 'listing' : 'listings'} approved`,
    text: `"${key.label}" may use up to ${count} extra listings at US$${(rateCents / 100).toFixed(2)} each for 24 hours.`,
  });
  return approvalId;
};

/** Approves extra listings for this assistant. Supersedes every earlier approval. */
export const approveExtras = async (
  world: World,
  userId: string,
  key: Key,
  wanted: WantedExtras,
): Promise<{ approvalId: string; expiresAt: number }> => {
  const before = requirePerson(world, userId);
  requireApprovable(before, extrasProblem(world, before), wanted.rateCents);
  await waitForMail(world);
  return atomically(world.db, () => {
    const person = requirePerson(world, userId);
    if (billingState(person) !== billingState(before))
      refuse(409, 'The subscription changed while the approval was being saved.', 'EXTRAS_CHANGED');
    requireDailyShare(world, person, wanted.count);
    const approvalId = saveApproval(world, person, key, wanted);
    return { approvalId, expiresAt: world.clock.now() + limits.extras.approvalLifeMs };
  });
};
