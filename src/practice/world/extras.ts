import * as z from 'zod';
import { limits, type PlanCode } from '../../contract/index.ts';
import { one, run } from '../database.ts';
import { refuse } from '../refusal.ts';
import { note } from './journal.ts';
import type { Key } from './keys.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

/** What one extra listing costs on each plan; the free plan has none. */
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

/** A number of paid extra listings that the person agreed to, through one assistant. */
export type ExtrasApproval = z.infer<typeof approvalRow>;

/** Whether somebody is in the days of a trial. */
export const onTrial = ({ clock }: World, person: Person): boolean =>
  person.trialEndsAt !== null && person.trialEndsAt > clock.now();

/** Why a plan cannot use extras: it is free, in its trial, or was bought in an app store. */
export type ExtrasProblem = 'free' | 'trial' | 'store';

/** Why a person's plan cannot use extras, or null when it can. */
export const extrasProblem = (world: World, person: Person): ExtrasProblem | null => {
  if (extraRates[person.plan] === null) return 'free';
  if (onTrial(world, person)) return 'trial';
  return person.billing === 'store' ? 'store' : null;
};

const isUsable = ({ clock }: World, approval: ExtrasApproval): boolean =>
  approval.endedAt === null &&
  approval.used < approval.count &&
  clock.now() - approval.createdAt < limits.extras.approvalLifeMs;

/** The approval that this assistant holds and may still use. */
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

/** The approval that a call names; refused before anything starts when it cannot be used by this assistant. */
export const namedApproval = (world: World, person: Person, key: Key, approvalId: string): ExtrasApproval => {
  const usable = usableApproval(world, person, key);
  if (usable?.approvalId === approvalId) return usable;
  return refuse(
    409,
    'This approval of extra listings is used up, expired, replaced or held by another assistant.',
    'EXTRAS_APPROVAL_REQUIRED',
  );
};

/** Uses one listing of an approval, which is when it is charged. */
export const useApproval = (world: World, approval: ExtrasApproval, listingId: string): void => {
  run(world.db, 'UPDATE extrasApprovals SET used = used + 1 WHERE approvalId = ?', approval.approvalId);
  note(world, 'charge', {
    userId: approval.userId,
    listingId,
    what: 'extra',
    amountMinor: approval.rateCents,
    currency: 'USD',
    approvalId: approval.approvalId,
  });
};
