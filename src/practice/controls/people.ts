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

/** A person as a test wants them to be. */
export const personInput = z.strictObject({
  email: z.email(),
  name: z.string().optional(),
  plan: z
    .string()
    .transform(codeOf)
    .pipe(z.enum(plans.map(({ code }) => code)))
    .optional(),
  credits: z.int().min(0).optional(),
  /** How many listings of the plan are used this month. */
  used: z.int().min(0).max(1_000).optional(),
  trialEligible: z.boolean().optional(),
  connected: z.boolean().optional(),
  extras: z.boolean().optional(),
  /** False: the mail about turning extras on was never sent. */
  extrasReceipt: z.boolean().optional(),
  /** Bought in an app store, where it is managed. */
  store: z.boolean().optional(),
  /** Of a plan that is paid by card: `past_due` is not paid for, `pending` not set up at the billing provider yet. */
  subscription: z.enum(['active', 'past_due', 'pending']).optional(),
  /** False: the marketplace still waits for the person to finish setting up as a seller. */
  sellerSetup: z.boolean().optional(),
  /** `stocked`: where the person has no listings yet, the shop is filled as if it had been kept for ninety days. */
  shop: z.enum(['empty', 'stocked']).optional(),
  site: siteId.refine((site) => siteOf(site) !== undefined, 'This site is not supported.').optional(),
});
type PersonInput = z.infer<typeof personInput>;
/** A person as somebody asks for one: what is left out has its default. */
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
  // Turned off, it also ends what was approved: see below.
  extrasEnabled: given.extras === true ? 1 : undefined,
  extrasReceipt: flagOf(given.extrasReceipt ?? given.extras),
  sellerSetup: flagOf(given.sellerSetup),
  homeSite: given.site,
});

/** Whoever practises without a keychain needs a new key at each start. */
const keyLabel = 'Practice assistant';

/** Makes a person, or changes one who is there, and gives a new key for an assistant of theirs. */
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

/** The same, with the shop that is wanted. What fills one is loaded then: no start waits for it. */
export const putPersonWithShop = async (world: World, given: PersonInput): Promise<ReturnType<typeof putPerson>> => {
  const made = putPerson(world, given);
  if (given.shop === 'stocked') (await import('../shop/fillShop.ts')).fillShop(world, made.userId);
  return made;
};

/** The person whom a control is about. */
export const userInput = z.strictObject({ userId: z.string() });
/** The assistant that is disconnected. */
export const keyInput = z.strictObject({ keyId: z.string() });
/** Which pack of credits somebody buys. */
export const purchaseInput = z.strictObject({ userId: z.string(), productId: z.string() });

const knownUserId = (world: World, userId: string): string =>
  findPerson(world, userId) ? userId : refuse(404, 'Nobody has this id.');

/** What only the person does, in the web settings or the phone app, and what assistants then live with. */
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
