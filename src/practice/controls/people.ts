import * as z from 'zod';
import { plans, siteId } from '../../contract/index.ts';
import { bit, atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { Refusal, refuse } from '../refusal.ts';
import { connectMarket, disconnectMarket, makeReadyToPublish } from '../world/marketAccount.ts';
import { setListingsUsed } from '../world/allowance.ts';
import { nextBillAt, buyCredits } from '../world/billing.ts';
import { switchExtrasOff } from '../world/extras.ts';
import { createKey, findKey, revokeOldestOfName, revokeKey } from '../world/keys.ts';
import { createPerson, requirePerson, findPersonByEmail, findPerson } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { deleteAccount, resetPassword } from '../world/accounts.ts';

const codeOf = (plan: string): string => plan.toLowerCase();

/** The state of a person that a test sets up. */
export const personInput = z.strictObject({
  email: z.email(),
  name: z.string().optional(),
  plan: z
    .string()
    .transform(codeOf)
    .pipe(z.enum(plans.map(({ code }) => code)))
    .optional(),
  credits: z.int().min(0).optional(),
  used: z.int().min(0).max(1_000).optional(),
  trialEligible: z.boolean().optional(),
  connected: z.boolean().optional(),
  extras: z.boolean().optional(),
  /** False if the mail about turning extras on was never sent. */
  extrasReceipt: z.boolean().optional(),
  /** True if the plan was bought in an app store, where it is managed. */
  store: z.boolean().optional(),
  /** For plans paid by card: `past_due` is unpaid, `pending` is not set up yet at the billing provider. */
  subscription: z.enum(['active', 'past_due', 'pending']).optional(),
  /** False if the person has not finished the seller set-up at the marketplace. */
  sellerSetup: z.boolean().optional(),
  /** `stocked` fills a shop without listings with ninety days of history. */
  shop: z.enum(['empty', 'stocked']).optional(),
  site: siteId.refine((site) => siteOf(site) !== undefined, 'This site is not supported.').optional(),
});
type PersonInput = z.infer<typeof personInput>;
export type WantedPerson = z.input<typeof personInput>;

const billingOf = ({ plan, store }: PersonInput): string => {
  if (plan === 'free') return 'none';
  return store === true ? 'store' : 'card';
};

type Column =
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

const flagOf = (value: boolean | undefined) => (value === undefined ? undefined : bit(value));

const columnsOf = (world: World, given: PersonInput): Record<Column, string | number | null | undefined> => ({
  name: given.name,
  plan: given.plan,
  billing: given.plan === undefined ? undefined : billingOf(given),
  renewsAt: given.plan === undefined ? undefined : billingOf(given) === 'card' ? nextBillAt(world) : null,
  subscription: given.subscription,
  credits: given.credits,
  trialEligible: flagOf(given.trialEligible),
  // Turning extras off also ends approvals; `putPersonWithKey` does that separately.
  extrasEnabled: given.extras === true ? 1 : undefined,
  extrasReceipt: flagOf(given.extrasReceipt ?? given.extras),
  sellerSetup: flagOf(given.sellerSetup),
  homeSite: given.site,
});

/** Without a keychain, the person needs a new key at each start; this label finds the old keys. */
const keyLabel = 'Practice assistant';

/** Creates or updates a person and returns a new key for an assistant. */
const putPerson = (world: World, given: PersonInput): { userId: string; agentKey: string; keyId: string } =>
  atomically(world.db, () => {
    const known = findPersonByEmail(world, given.email);
    const { userId, plan } = known ?? createPerson(world, given.email, given.name ?? null);
    if (known && known.deletedAt !== null) throw new Refusal(409, 'email: The account of this address was deleted.');
    if (given.extras === true && (given.plan ?? plan) === 'free')
      throw new Refusal(400, 'extras: The free plan has no extra listings.');
    for (const [column, value] of Object.entries(columnsOf(world, given)))
      if (value !== undefined) run(world.db, `UPDATE people SET ${column} = ? WHERE userId = ?`, value, userId);
    if (given.extras === false) switchExtrasOff(world, userId);
    if (given.used !== undefined) setListingsUsed(world, requirePerson(world, userId), given.used);
    if (given.connected === true) {
      connectMarket(world, userId);
      makeReadyToPublish(world, userId);
    }
    if (given.connected === false) disconnectMarket(world, userId);
    revokeOldestOfName(world, userId, keyLabel);
    const { apiKey, keyId } = createKey(world, userId, keyLabel, 'settings');
    return { userId, agentKey: apiKey, keyId };
  });

/**
 * Creates or updates a person and fills the shop if requested. The shop code is loaded lazily to keep the start fast.
 */
export const putPersonWithShop = async (world: World, given: PersonInput): Promise<ReturnType<typeof putPerson>> => {
  const made = putPerson(world, given);
  if (given.shop === 'stocked') (await import('../shop/fillShop.ts')).fillShop(world, made.userId);
  return made;
};

export const userInput = z.strictObject({ userId: z.string() });
export const keyInput = z.strictObject({ keyId: z.string() });
export const purchaseInput = z.strictObject({ userId: z.string(), productId: z.string() });

const knownUserId = (world: World, userId: string): string =>
  findPerson(world, userId) ? userId : refuse(404, 'Nobody has this id.');

/** The acts that only the person can do, in the web settings or the phone app. */
export const webSettings = {
  deleteAccount: (world: World, { userId }: z.infer<typeof userInput>) =>
    deleteAccount(world, knownUserId(world, userId)),
  resetPassword: (world: World, { userId }: z.infer<typeof userInput>) =>
    resetPassword(world, knownUserId(world, userId)),
  buyCredits: (world: World, { userId, productId }: z.infer<typeof purchaseInput>) =>
    buyCredits(world, knownUserId(world, userId), productId),
  disconnect: (world: World, { keyId }: z.infer<typeof keyInput>) =>
    atomically(world.db, () => {
      const key = findKey(world, keyId);
      if (!key) return refuse(404, 'There is no assistant with this id.');
      revokeKey(world, key);
      return { keyId, revoked: true };
    }),
};
