import * as z from 'zod';
import { json, all, run } from '../database.ts';
import { newId } from '../ids.ts';
import { siteOf } from '../market/sites.ts';
import { recordEffect } from './journal.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

/** A site needs one policy of each kind. */
export const policyKinds = ['fulfillment', 'payment', 'return'] as const;
export type PolicyKind = (typeof policyKinds)[number];

const policyFacts = z.looseObject({
  /** Postage is a flat amount, or calculated from the packed weight. */
  postage: z.enum(['flat', 'calculated']).optional(),
  flatMinor: z.int().optional(),
  maxWeightGrams: z.int().optional(),
});

const policyRow = z.object({
  policyId: z.string(),
  userId: z.string(),
  marketplaceId: z.string(),
  kind: z.enum(policyKinds),
  name: z.string(),
  facts: json(policyFacts),
});
/** A policy of the person's marketplace account. */
export type Policy = z.infer<typeof policyRow>;

/** The policies of a person's marketplace account, of one site or of all. */
export const policiesOf = (world: World, userId: string, marketplaceId: string | null = null): Policy[] =>
  all(
    world.db,
    policyRow,
    `SELECT policyId, userId, marketplaceId, kind, name, facts FROM policies
     WHERE userId = ?1 AND (?2 IS NULL OR marketplaceId = ?2) ORDER BY createdAt, rowid`,
    userId,
    marketplaceId,
  );

/** A policy as it is answered. */
export const toApiPolicy = ({ policyId, marketplaceId, kind, name, facts }: Policy) => ({
  policyId,
  kind,
  name,
  marketplaceId,
  ...facts,
});

type Postage = 'flat' | 'calculated';
/** The heaviest parcel, in grams, that calculated postage takes when its policy names no other weight. */
export const calculatedMaxGrams = 31_500;

/** The return policy that the person's defaults describe; 30 days when they say nothing. */
const returnStarter = ({ sellerDefaults }: Person, name: string) => {
  const { accepted = true, days = 30 } = sellerDefaults.returns ?? {};
  return accepted
    ? { kind: 'return' as const, name: `${days} days, ${name}`, facts: { days } }
    : { kind: 'return' as const, name: `No returns, ${name}`, facts: { accepted } };
};

const starterPolicies = (
  person: Person,
  site: string,
  postage: Postage,
): { kind: PolicyKind; name: string; facts: z.infer<typeof policyFacts> }[] => {
  const name = siteOf(site)?.name ?? site;
  const shipping =
    postage === 'flat'
      ? { postage, flatMinor: Math.round(599 * (siteOf(site)?.perDollar ?? 1)) }
      : { postage, maxWeightGrams: calculatedMaxGrams };
  return [
    { kind: 'fulfillment', name: `${postage === 'flat' ? 'Flat' : 'Calculated'} postage, ${name}`, facts: shipping },
    { kind: 'payment', name: `Payment by the marketplace, ${name}`, facts: {} },
    returnStarter(person, name),
  ];
};

/** Adds a policy and gives its id; call it in the transaction that records it. */
export const addPolicy = (
  world: World,
  userId: string,
  marketplaceId: string,
  policy: { kind: PolicyKind; name: string; facts: z.infer<typeof policyFacts> },
): string => {
  const policyId = newId('pol');
  run(
    world.db,
    'INSERT INTO policies (policyId, userId, marketplaceId, kind, name, facts, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
    policyId,
    userId,
    marketplaceId,
    policy.kind,
    policy.name,
    JSON.stringify(policy.facts),
    world.clock.now(),
  );
  return policyId;
};

/** Makes the policies that a site lacks, so that doing it twice makes none twice. Returns what was made. */
export const bootstrapPolicies = (world: World, person: Person, site: string, postage: Postage): string[] => {
  const there = new Set(policiesOf(world, person.userId, site).map(({ kind }) => kind));
  const made = starterPolicies(person, site, postage)
    .filter(({ kind }) => !there.has(kind))
    .map((policy) => addPolicy(world, person.userId, site, policy));
  if (made.length > 0) recordEffect(world, 'policies', { userId: person.userId, marketplaceId: site, policyIds: made });
  return made;
};
