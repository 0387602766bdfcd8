import * as z from 'zod';
import { plans, siteId } from '../../contract/index.ts';
import { bit } from '../columns.ts';
import { atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { Refusal } from '../refusal.ts';
import { connectMarket, disconnectMarket, makeReady } from '../world/connection.ts';
import { createKey } from '../world/keys.ts';
import { createPerson, personByEmail } from '../world/people.ts';
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
  trialEligible: z.boolean().optional(),
  connected: z.boolean().optional(),
  extras: z.boolean().optional(),
  /** Bought in an app store, where it is managed. */
  store: z.boolean().optional(),
  site: siteId.refine((site) => siteOf(site) !== undefined, 'This site is not supported.').optional(),
});
export type Placing = z.infer<typeof placing>;

const billingOf = ({ plan, store }: Placing): string => {
  if (plan === 'free') return 'none';
  return store === true ? 'store' : 'card';
};

const columnsOf = (given: Placing): [string, string | number][] => [
  ...(given.name === undefined ? [] : [['name', given.name] as [string, string]]),
  ...(given.plan === undefined
    ? []
    : [['plan', given.plan] as [string, string], ['billing', billingOf(given)] as [string, string]]),
  ...(given.credits === undefined ? [] : [['credits', given.credits] as [string, number]]),
  ...(given.trialEligible === undefined ? [] : [['trialEligible', bit(given.trialEligible)] as [string, number]]),
  ...(given.extras === undefined
    ? []
    : [
        ['extrasEnabled', bit(given.extras)] as [string, number],
        ['extrasReceipt', bit(given.extras)] as [string, number],
      ]),
  ...(given.site === undefined ? [] : [['homeSite', given.site] as [string, string]]),
];

/** Makes a person, or changes one who is there, and gives a new key for an assistant of theirs. */
export const placePerson = (world: World, given: Placing): { userId: string; agentKey: string; keyId: string } =>
  atomically(world.db, () => {
    const known = personByEmail(world, given.email);
    const { userId, plan } = known ?? createPerson(world, given.email, given.name ?? null);
    if (given.extras === true && (given.plan ?? plan) === 'free')
      throw new Refusal(400, 'extras: The free plan has no extra listings.');
    for (const [column, value] of columnsOf(given))
      run(world.db, `UPDATE people SET ${column} = ? WHERE userId = ?`, value, userId);
    if (given.connected === true) {
      connectMarket(world, userId);
      makeReady(world, userId);
    }
    if (given.connected === false) disconnectMarket(world, userId);
    const { apiKey, keyId } = createKey(world, userId, 'Practice assistant', 'settings');
    return { userId, agentKey: apiKey, keyId };
  });
