import * as z from 'zod';
import { plans, siteId } from '../../contract/index.ts';
import { toFlagValue, runInTransaction, runStatement } from '../database.ts';
import { findSiteById } from '../market/sites.ts';
import { Refusal, refuseCall } from '../refusal.ts';
import { connectMarketAccount, disconnectMarketAccount, createPublishingRequirements } from '../world/marketAccount.ts';
import { setListingsUsed } from '../world/allowance.ts';
import { computeNextBillAt, buyCreditPack } from '../world/billing.ts';
import { saveExtrasOff } from '../world/extras.ts';
import { createAssistantKey, findKeyById, revokeOldestKeyAtLimit, revokeAssistantKey } from '../world/keys.ts';
import { createFreeAccount, requirePersonById, findPersonByEmail, findPersonById } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { deletePersonAccount, resetAccountPassword } from '../world/accounts.ts';

const toPlanCode = (plan: string): string => plan.toLowerCase();

export const personInput = z.strictObject({
  email: z.email(),
  name: z.string().optional(),
  plan: z
    .string()
    .transform(toPlanCode)
    .pipe(z.enum(plans.map(({ code }) => code)))
    .optional(),
  credits: z.int().min(0).optional(),
  used: z.int().min(0).max(1_000).optional(),
  trialEligible: z.boolean().optional(),
  connected: z.boolean().optional(),
  extras: z.boolean().optional(),
  /** False if no mail about extras was sent when the person turned them on. */
  extrasReceipt: z.boolean().optional(),
  store: z.boolean().optional(),
  /** Only for plans paid by card. `past_due`: not paid. `pending`: not set up at the billing provider yet. */
  subscription: z.enum(['active', 'past_due', 'pending']).optional(),
  sellerSetup: z.boolean().optional(),
  shop: z.enum(['empty', 'stocked']).optional(),
  site: siteId.refine((site) => findSiteById(site) !== undefined, 'This site is not supported.').optional(),
});
type PersonInput = z.infer<typeof personInput>;
export type PracticePersonInput = z.input<typeof personInput>;

const getBillingKind = ({ plan, store }: PersonInput): string => {
  if (plan === 'free') return 'none';
  return store === true ? 'store' : 'card';
};

type PersonColumn =
  | 'name'
  | 'plan'
  | 'billing'
  | 'renewsAt'
  | 'subscription'
  | 'credits'
  | 'trialEligible'
  | 'extrasEnabled'
  | 'extrasReceipt'
  | 'sellerSetup'
  | 'homeSite';

const toOptionalFlag = (value: boolean | undefined) => (value === undefined ? undefined : toFlagValue(value));

const toPersonColumns = (
  world: World,
  input: PersonInput,
): Record<PersonColumn, string | number | null | undefined> => ({
  name: input.name,
  plan: input.plan,
  billing: input.plan === undefined ? undefined : getBillingKind(input),
  renewsAt: input.plan === undefined ? undefined : getBillingKind(input) === 'card' ? computeNextBillAt(world) : null,
  subscription: input.subscription,
  credits: input.credits,
  trialEligible: toOptionalFlag(input.trialEligible),
  // Only `true` sets this column here. `extras: false` must also end the approvals, so `savePersonWithNewKey` applies
  // it.
  extrasEnabled: input.extras === true ? 1 : undefined,
  extrasReceipt: toOptionalFlag(input.extrasReceipt ?? input.extras),
  sellerSetup: toOptionalFlag(input.sellerSetup),
  homeSite: input.site,
});

/**
 * The label of the keys that are created here. A companion without a keychain requests a new key at each start, so at
 * the limit, the oldest key with this label is revoked.
 */
const keyLabel = 'Practice assistant';

const savePersonWithNewKey = (world: World, input: PersonInput): { userId: string; agentKey: string; keyId: string } =>
  runInTransaction(world.db, () => {
    const known = findPersonByEmail(world, input.email);
    const { userId, plan } = known ?? createFreeAccount(world, input.email, input.name ?? null);
    if (known && known.deletedAt !== null) throw new Refusal(409, 'email: The account of this address was deleted.');
    if (input.extras === true && (input.plan ?? plan) === 'free')
      throw new Refusal(400, 'extras: The free plan has no extra listings.');
    for (const [column, value] of Object.entries(toPersonColumns(world, input)))
      if (value !== undefined)
        runStatement(world.db, `UPDATE people SET ${column} = ? WHERE userId = ?`, value, userId);
    if (input.extras === false) saveExtrasOff(world, userId);
    if (input.used !== undefined) setListingsUsed(world, requirePersonById(world, userId), input.used);
    if (input.connected === true) {
      connectMarketAccount(world, userId);
      createPublishingRequirements(world, userId);
    }
    if (input.connected === false) disconnectMarketAccount(world, userId);
    revokeOldestKeyAtLimit(world, userId, keyLabel);
    const { apiKey, keyId } = createAssistantKey(world, userId, keyLabel, 'settings');
    return { userId, agentKey: apiKey, keyId };
  });

/**
 * Creates or updates a person and fills the shop if `shop` is 'stocked'. The code of the shop is loaded on demand,
 * because it would slow down the start.
 */
export const savePersonAndFillShop = async (
  world: World,
  input: PersonInput,
): Promise<ReturnType<typeof savePersonWithNewKey>> => {
  const createdPerson = savePersonWithNewKey(world, input);
  if (input.shop === 'stocked') (await import('../shop/fillShop.ts')).fillPracticeShop(world, createdPerson.userId);
  return createdPerson;
};

export const userInput = z.strictObject({ userId: z.string() });
export const keyInput = z.strictObject({ keyId: z.string() });
export const purchaseInput = z.strictObject({ userId: z.string(), productId: z.string() });

const requireKnownUserId = (world: World, userId: string): string =>
  findPersonById(world, userId) ? userId : refuseCall(404, 'There is no person with this id.');

export const webSettings = {
  deleteAccount: (world: World, { userId }: z.infer<typeof userInput>) =>
    deletePersonAccount(world, requireKnownUserId(world, userId)),
  resetPassword: (world: World, { userId }: z.infer<typeof userInput>) =>
    resetAccountPassword(world, requireKnownUserId(world, userId)),
  buyCredits: (world: World, { userId, productId }: z.infer<typeof purchaseInput>) =>
    buyCreditPack(world, requireKnownUserId(world, userId), productId),
  disconnect: (world: World, { keyId }: z.infer<typeof keyInput>) =>
    runInTransaction(world.db, () => {
      const key = findKeyById(world, keyId);
      if (!key) return refuseCall(404, 'There is no assistant with this id.');
      revokeAssistantKey(world, key);
      return { keyId, revoked: true };
    }),
};
