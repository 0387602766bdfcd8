import * as z from 'zod';
import { limits, type PlanCode } from '../../contract/index.ts';
import { selectFirstRow, runStatement, selectAllRows, runInTransaction } from '../database.ts';
import { refuseCall, createRetryAfterHeader } from '../refusal.ts';
import { recordJournalEffect } from './journal.ts';
import type { Key } from './keys.ts';
import { type Person, requirePersonById } from './people.ts';
import type { World } from './world.ts';
import { dayMs } from '../clock.ts';
import { createRandomText } from '../ids.ts';
import { requireMailService, waitForMailDelay } from './disruptions.ts';
import { sendPracticeMail } from './messages.ts';

export const appStore = 'App Store';

/** The price of one extra listing, in US cents; null if the plan has no extras. */
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

export type ExtrasApproval = z.infer<typeof approvalRow>;

export const isOnTrial = ({ clock }: World, person: Person): boolean =>
  person.trialEndsAt !== null && person.trialEndsAt > clock.now();

const subscriptionProblems = { active: null, past_due: 'not active', pending: 'not ready' } as const;

type ExtrasProblem = 'free' | 'trial' | 'store' | 'not active' | 'not ready';

/** Returns why the plan of a person cannot use extras, or null if it can. */
export const findExtrasProblem = (world: World, person: Person): ExtrasProblem | null => {
  if (extraRates[person.plan] === null) return 'free';
  if (isOnTrial(world, person)) return 'trial';
  if (person.billing === 'store') return 'store';
  return subscriptionProblems[person.subscription];
};

const isUsableApproval = ({ clock }: World, approval: ExtrasApproval): boolean =>
  approval.endedAt === null &&
  approval.used < approval.count &&
  clock.now() - approval.createdAt < limits.extras.approvalLifeMs;

/** Returns the approval that this assistant can use now, or null. */
export const findUsableApproval = (world: World, person: Person, key: Key): ExtrasApproval | null => {
  if (!person.extrasEnabled || findExtrasProblem(world, person) !== null) return null;
  const approval = selectFirstRow(
    world.db,
    approvalRow,
    'SELECT * FROM extrasApprovals WHERE userId = ? AND keyId = ? AND endedAt IS NULL ORDER BY createdAt DESC',
    person.userId,
    key.keyId,
  );
  return approval && isUsableApproval(world, approval) ? approval : null;
};

/** Returns the approval that a call names. Refuses the call if this assistant cannot use the approval. */
export const requireNamedApproval = (world: World, person: Person, key: Key, approvalId: string): ExtrasApproval => {
  const usable = findUsableApproval(world, person, key);
  if (usable?.approvalId === approvalId) return usable;
  return refuseCall(
    409,
    'This approval of extra listings is used up, expired, replaced or held by another assistant.',
    'EXTRAS_APPROVAL_REQUIRED',
  );
};

/** Uses up one extra listing of an approval and bills it. */
export const chargeExtraListing = (world: World, approval: ExtrasApproval, listingId: string): void => {
  runStatement(world.db, 'UPDATE extrasApprovals SET used = used + 1 WHERE approvalId = ?', approval.approvalId);
  recordJournalEffect(world, 'charge', {
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

const endAllApprovals = (world: World, userId: string): void => {
  runStatement(
    world.db,
    'UPDATE extrasApprovals SET endedAt = ? WHERE userId = ? AND endedAt IS NULL',
    world.clock.now(),
    userId,
  );
};

const refuseChangedRate = (rateCents: number | null): never =>
  refuseCall(409, 'The rate of an extra listing is not the one that was told to the person.', 'RATE_CHANGED', {
    body: { rateCents },
  });

/** Turns extras off and ends every approval. */
export const saveExtrasOff = (world: World, userId: string): void => {
  runStatement(world.db, 'UPDATE people SET extrasEnabled = 0 WHERE userId = ?', userId);
  endAllApprovals(world, userId);
};

const turnExtrasOff = (world: World, { userId }: Person): void => {
  saveExtrasOff(world, userId);
  recordJournalEffect(world, 'extras', { userId, enabled: false });
};

const notMailedMessage = 'The person could not be e-mailed, so nothing was changed. Try again in a minute.';

const sendExtrasMail = (world: World, person: Person, rateCents: number | null): void => {
  requireMailService(world, notMailedMessage, 'TRY_AGAIN');
  runStatement(world.db, 'UPDATE people SET extrasReceipt = 1 WHERE userId = ?', person.userId);
  sendPracticeMail(world, person.userId, {
    to: person.email,
    subject: 'Extra listings are on',
    text: `Each costs US$${((rateCents ?? 0) / 100).toFixed(2)}, and none is used without your approval.`,
  });
};

const requireExtrasCanBeTurnedOn = (world: World, person: Person, acknowledgedRateCents: number | undefined): void => {
  const problem = findExtrasProblem(world, person);
  if (problem !== null) refuseCall(409, problemMessages[problem], 'overage-unavailable', { body: { reason: problem } });
  const rateCents = extraRates[person.plan];
  if (acknowledgedRateCents !== rateCents) refuseChangedRate(rateCents);
  const since = person.extrasOnAt === null ? Infinity : world.clock.now() - person.extrasOnAt;
  if (!person.extrasEnabled && since < limits.extras.turnOnEveryMs)
    refuseCall(429, 'An assistant already turned extra listings on in the last 24 hours.', 'EXTRAS_ON_LIMIT', {
      headers: createRetryAfterHeader(limits.extras.turnOnEveryMs - since),
    });
};

const turnExtrasOn = (world: World, person: Person): void => {
  const { userId, extrasEnabled, extrasReceipt } = person;
  const rateCents = extraRates[person.plan];
  if (extrasEnabled) return extrasReceipt ? undefined : sendExtrasMail(world, person, rateCents);
  runStatement(
    world.db,
    'UPDATE people SET extrasEnabled = 1, extrasOnAt = ? WHERE userId = ?',
    world.clock.now(),
    userId,
  );
  recordJournalEffect(world, 'extras', { userId, enabled: true, rateCents });
  sendExtrasMail(world, person, rateCents);
};

/** Callers compare this text before and after an `await`, to see whether the billing state changed. */
const serialiseBillingState = ({ plan, billing, subscription, trialEndsAt, ...person }: Person): string =>
  JSON.stringify([
    ...[plan, billing, subscription, trialEndsAt],
    ...[person.extrasEnabled, person.extrasOnAt, person.extrasReceipt],
  ]);

/** Turns extras on at the acknowledged rate, or off. Turning them off is always possible, and ends every approval. */
export const changeExtrasSetting = async (
  world: World,
  userId: string,
  enabled: boolean,
  acknowledgedRateCents: number | undefined,
): Promise<void> => {
  const before = requirePersonById(world, userId);
  if (!enabled) return runInTransaction(world.db, () => turnExtrasOff(world, before));
  requireExtrasCanBeTurnedOn(world, before, acknowledgedRateCents);
  await waitForMailDelay(world);
  runInTransaction(world.db, () => {
    const person = requirePersonById(world, userId);
    if (serialiseBillingState(person) !== serialiseBillingState(before))
      refuseCall(
        409,
        'The account was changed at the same time. Look at it, then try once more.',
        'overage-state-conflict',
      );
    requireExtrasCanBeTurnedOn(world, person, acknowledgedRateCents);
    turnExtrasOn(world, person);
  });
};

const approvedRow = z.object({ count: z.int(), createdAt: z.int() });

const requireWithinDailyExtrasLimit = (world: World, person: Person, count: number): void => {
  const since = world.clock.now() - dayMs;
  const today = selectAllRows(
    world.db,
    approvedRow,
    'SELECT count, createdAt FROM extrasApprovals WHERE userId = ? AND createdAt > ? ORDER BY createdAt',
    person.userId,
    since,
  );
  const sum = today.reduce((total, row) => total + row.count, 0);
  if (sum + count > limits.extras.perDay)
    refuseCall(
      429,
      `Assistants can set aside ${limits.extras.perDay} extra listings a day; ${sum} are.`,
      'EXTRAS_DAILY_LIMIT',
      {
        headers: createRetryAfterHeader((today[0]?.createdAt ?? since) - since || dayMs),
      },
    );
};

const requireExtrasApprovable = (person: Person, problem: ExtrasProblem | null, rateCents: number): void => {
  if (problem !== null) refuseCall(409, problemMessages[problem], 'EXTRAS_UNAVAILABLE', { body: { reason: problem } });
  if (!person.extrasEnabled) refuseCall(409, 'Extra listings are off.', 'EXTRAS_OFF');
  if (!person.extrasReceipt)
    refuseCall(
      409,
      'The mail about turning extra listings on was never sent. Turn them on again.',
      'EXTRAS_ON_UNCONFIRMED',
    );
  const rate = extraRates[person.plan];
  if (rateCents !== rate) refuseChangedRate(rate);
};

type ExtrasRequest = { count: number; rateCents: number };

const saveExtrasApproval = (world: World, person: Person, key: Key, { count, rateCents }: ExtrasRequest): string => {
  const { userId, email: to } = person;
  endAllApprovals(world, userId);
  const approvalId = `xa_${createRandomText(12)}`;
  runStatement(
    world.db,
    'INSERT INTO extrasApprovals (approvalId, userId, keyId, count, rateCents, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
    ...[approvalId, userId, key.keyId, count, rateCents, world.clock.now()],
  );
  recordJournalEffect(world, 'extras', { userId, approvalId, count, rateCents });
  requireMailService(world, notMailedMessage, 'TRY_AGAIN');
  sendPracticeMail(world, userId, {
    to,
    subject: `Receipt: up to ${count} extra ${count === 1 ? 'listing' : 'listings'} approved`,
    text: `"${key.label}" may use up to ${count} extra listings at US$${(rateCents / 100).toFixed(2)} each for 24 hours.`,
  });
  return approvalId;
};

/** Approves extra listings for this assistant. The new approval supersedes every earlier one. */
export const approveExtraListings = async (
  world: World,
  userId: string,
  key: Key,
  request: ExtrasRequest,
): Promise<{ approvalId: string; expiresAt: number }> => {
  const before = requirePersonById(world, userId);
  requireExtrasApprovable(before, findExtrasProblem(world, before), request.rateCents);
  await waitForMailDelay(world);
  return runInTransaction(world.db, () => {
    const person = requirePersonById(world, userId);
    if (serialiseBillingState(person) !== serialiseBillingState(before))
      refuseCall(409, 'The subscription changed while the approval was being saved.', 'EXTRAS_CHANGED');
    requireWithinDailyExtrasLimit(world, person, request.count);
    const approvalId = saveExtrasApproval(world, person, key, request);
    return { approvalId, expiresAt: world.clock.now() + limits.extras.approvalLifeMs };
  });
};
