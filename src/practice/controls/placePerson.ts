import * as z from 'zod';
import { plans, siteId } from '../../contract/index.ts';
import { bit } from '../columns.ts';
import { atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { Refusal } from '../refusal.ts';
import { connectMarket, disconnectMarket, makeReady } from '../world/connection.ts';
import { setUsed } from '../world/allowance.ts';
import { nextBillAt } from '../world/billing.ts';
import { createKey } from '../world/keys.ts';
import { createPerson, knownPerson, personByEmail } from '../world/people.ts';
import type { World } from '../world/world.ts';

const codeOf = (plan: string): string => plan.toLowerCase();

/** A person as a test wants them to be. */
export const placing = z.strictObject({
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
  /** False: the marketplace still waits for the person to finish setting up as a seller. */
  sellerSetup: z.boolean().optional(),
  site: siteId.refine((site) => siteOf(site) !== undefined, 'This site is not supported.').optional(),
});
type Placing = z.infer<typeof placing>;

const billingOf = ({ plan, store }: Placing): string => {
  if (plan === 'free') return 'none';
  return store === true ? 'store' : 'card';
};

type Column =
  | 'name'
  | 'plan'
  | 'billing'
  | 'renewsAt'
  | 'credits'
  | 'trialEligible'
  | 'extrasEnabled'
  | 'extrasReceipt'
  | 'sellerSetup'
  | 'homeSite';

const flagOf = (value: boolean | undefined) => (value === undefined ? undefined : bit(value));

const columnsOf = (world: World, given: Placing): Record<Column, string | number | null | undefined> => ({
  name: given.name,
  plan: given.plan,
  billing: given.plan === undefined ? undefined : billingOf(given),
  renewsAt: given.plan === undefined ? undefined : billingOf(given) === 'card' ? nextBillAt(world) : null,
  credits: given.credits,
  trialEligible: flagOf(given.trialEligible),
  extrasEnabled: flagOf(given.extras),
  extrasReceipt: flagOf(given.extrasReceipt ?? given.extras),
  sellerSetup: flagOf(given.sellerSetup),
  homeSite: given.site,
});

/** Makes a person, or changes one who is there, and gives a new key for an assistant of theirs. */
export const placePerson = (world: World, given: Placing): { userId: string; agentKey: string; keyId: string } =>
  atomically(world.db, () => {
    const known = personByEmail(world, given.email);
    const { userId, plan } = known ?? createPerson(world, given.email, given.name ?? null);
    if (known && known.deletedAt !== null) throw new Refusal(409, 'email: The account of this address was deleted.');
    if (given.extras === true && (given.plan ?? plan) === 'free')
      throw new Refusal(400, 'extras: The free plan has no extra listings.');
    for (const [column, value] of Object.entries(columnsOf(world, given)))
      if (value !== undefined) run(world.db, `UPDATE people SET ${column} = ? WHERE userId = ?`, value, userId);
    if (given.used !== undefined) setUsed(world, knownPerson(world, userId), given.used);
    if (given.connected === true) {
      connectMarket(world, userId);
      makeReady(world, userId);
    }
    if (given.connected === false) disconnectMarket(world, userId);
    const { apiKey, keyId } = createKey(world, userId, 'Practice assistant', 'settings');
    return { userId, agentKey: apiKey, keyId };
  });
