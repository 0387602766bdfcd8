import * as z from 'zod';
import { policyKinds, type PolicyKind } from '../../contract/index.ts';
import { jsonColumn, selectAllRows, runStatement, runInTransaction } from '../database.ts';
import { createPrefixedId, createRandomText } from '../ids.ts';
import { findSiteById, isValidPostalCode, sites } from '../market/sites.ts';
import { recordJournalEffect } from './journal.ts';
import {
  type Person,
  requirePersonById,
  sellerDefaultsInput,
  type ItemLocation,
  type SellerDefaults,
} from './people.ts';
import type { World } from './world.ts';
import { refuseCall, parseOpenBody } from '../refusal.ts';
import { requireConsistentOffer } from './listings/listings.ts';

const policyFacts = z.looseObject({
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
  facts: jsonColumn(policyFacts),
});
export type Policy = z.infer<typeof policyRow>;

/** Returns the policies of a person on one site, or on all sites if `marketplaceId` is null. */
export const listPersonPolicies = (world: World, userId: string, marketplaceId: string | null = null): Policy[] =>
  selectAllRows(
    world.db,
    policyRow,
    `SELECT policyId, userId, marketplaceId, kind, name, facts FROM policies
     WHERE userId = ?1 AND (?2 IS NULL OR marketplaceId = ?2) ORDER BY createdAt, rowid`,
    userId,
    marketplaceId,
  );

export const toApiPolicy = ({ policyId, marketplaceId, kind, name, facts }: Policy) => ({
  policyId,
  kind,
  name,
  marketplaceId,
  ...facts,
});

type Postage = 'flat' | 'calculated';
export const calculatedMaxGrams = 31_500;

const buildReturnPolicy = ({ sellerDefaults }: Person, name: string) => {
  const { accepted = true, days = 30 } = sellerDefaults.returns ?? {};
  return accepted
    ? { kind: 'return' as const, name: `${days} days, ${name}`, facts: { days } }
    : { kind: 'return' as const, name: `No returns, ${name}`, facts: { accepted } };
};

const buildStarterPolicies = (
  person: Person,
  site: string,
  postage: Postage,
): { kind: PolicyKind; name: string; facts: z.infer<typeof policyFacts> }[] => {
  const name = findSiteById(site)?.name ?? site;
  const shipping =
    postage === 'flat'
      ? { postage, flatMinor: Math.round(599 * (findSiteById(site)?.perDollar ?? 1)) }
      : { postage, maxWeightGrams: calculatedMaxGrams };
  return [
    { kind: 'fulfillment', name: `${postage === 'flat' ? 'Flat' : 'Calculated'} postage, ${name}`, facts: shipping },
    { kind: 'payment', name: `Payment by the marketplace, ${name}`, facts: {} },
    buildReturnPolicy(person, name),
  ];
};

/** Adds a policy and returns its id. Call it in the transaction that records the effect. */
export const insertMarketPolicy = (
  world: World,
  userId: string,
  marketplaceId: string,
  policy: { kind: PolicyKind; name: string; facts: z.infer<typeof policyFacts> },
): string => {
  const policyId = createPrefixedId('pol');
  runStatement(
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

/** Creates the policies that a site lacks. Returns the ids of the new policies. */
export const createMissingPolicies = (world: World, person: Person, site: string, postage: Postage): string[] => {
  const existingKinds = new Set(listPersonPolicies(world, person.userId, site).map(({ kind }) => kind));
  const createdIds = buildStarterPolicies(person, site, postage)
    .filter(({ kind }) => !existingKinds.has(kind))
    .map((policy) => insertMarketPolicy(world, person.userId, site, policy));
  if (createdIds.length > 0)
    recordJournalEffect(world, 'policies', { userId: person.userId, marketplaceId: site, policyIds: createdIds });
  return createdIds;
};

/** Connects the person's marketplace account. A person who reconnects keeps the same account. */
export const connectMarketAccount = (world: World, userId: string): void =>
  runInTransaction(world.db, () => {
    const person = requirePersonById(world, userId);
    runStatement(
      world.db,
      'UPDATE people SET connectedAt = ?, accountId = ?, accountName = ? WHERE userId = ?',
      world.clock.now(),
      person.accountId ?? createPrefixedId('mac'),
      person.accountName ?? `seller-${createRandomText(6).toLowerCase()}`,
      userId,
    );
    recordJournalEffect(world, 'connected', { userId });
  });

/** Disconnects the marketplace account. Its listings stay live on the marketplace. */
export const disconnectMarketAccount = (world: World, userId: string): void =>
  runInTransaction(world.db, () => {
    runStatement(world.db, 'UPDATE people SET connectedAt = NULL WHERE userId = ?', userId);
    recordJournalEffect(world, 'disconnected', { userId });
  });

/** Creates the policies and the location that a connected person needs to publish on their home site. */
export const createPublishingRequirements = (world: World, userId: string): void =>
  runInTransaction(world.db, () => {
    const person = requirePersonById(world, userId);
    createMissingPolicies(world, person, person.homeSite, 'flat');
    const site = findSiteById(person.homeSite);
    const location = { country: site?.country ?? 'US', postalCode: site?.postalCode.example ?? '94107' };
    const defaults = JSON.stringify({ ...person.sellerDefaults, location });
    runStatement(world.db, 'UPDATE people SET sellerDefaults = ? WHERE userId = ?', defaults, userId);
  });

type MissingRequirement = { code: 'CONNECTION' | 'SELLER_SETUP' | 'POLICIES' | 'LOCATION'; message: string };

/** Lists what the person still lacks to publish on a site. */
export const listMissingRequirements = (world: World, person: Person, site: string): MissingRequirement[] => {
  const kinds = new Set(listPersonPolicies(world, person.userId, site).map(({ kind }) => kind));
  return [
    ...(person.connectedAt === null
      ? [{ code: 'CONNECTION' as const, message: 'The marketplace account is not connected.' }]
      : []),
    ...(person.sellerSetup
      ? []
      : [{ code: 'SELLER_SETUP' as const, message: 'Finish setting up as a seller on the marketplace.' }]),
    ...(policyKinds.every((kind) => kinds.has(kind))
      ? []
      : [{ code: 'POLICIES' as const, message: `There are no shipping, payment and return policies for ${site}.` }]),
    ...(person.sellerDefaults.location
      ? []
      : [{ code: 'LOCATION' as const, message: 'The country and postal code of the items are not known.' }]),
  ];
};

/** Stores that the person confirmed the fee notice of a site. Returns all confirmed sites. */
export const confirmFeeNotice = (world: World, person: Person, listingId: string, site: string): string[] =>
  runInTransaction(world.db, () => {
    if (!findSiteById(site)) refuseCall(400, `${site} is not one of the supported sites.`);
    const { confirmedSites } = requirePersonById(world, person.userId);
    if (confirmedSites.includes(site)) return confirmedSites;
    const now = [...confirmedSites, site];
    runStatement(world.db, 'UPDATE people SET confirmedSites = ? WHERE userId = ?', JSON.stringify(now), person.userId);
    recordJournalEffect(world, 'fee_confirmed', { userId: person.userId, listingId, marketplaceId: site });
    return now;
  });

const requirePostalCode = ({ country, postalCode }: ItemLocation): void => {
  const site = sites.find((candidate) => candidate.country === country.toUpperCase());
  if (site && !isValidPostalCode(site, postalCode))
    refuseCall(400, `location.postalCode: "${postalCode}" is not a postal code of ${site.name}.`);
};

/** Saves seller defaults. An omitted field keeps its value; null removes the default. */
export const saveSellerDefaults = (
  world: World,
  person: Person,
  body: unknown,
): SellerDefaults & { marketplaceId: string } =>
  runInTransaction(world.db, () => {
    const changes = parseOpenBody(sellerDefaultsInput, body);
    if (changes.location) requirePostalCode(changes.location);
    requireConsistentOffer(changes.bestOffer);
    const site = changes.marketplaceId;
    if (site && !findSiteById(site)) refuseCall(400, `${site} is not one of the supported sites.`);
    const now = requirePersonById(world, person.userId);
    const saved = { ...now.sellerDefaults, ...changes };
    const homeSite = site ?? now.homeSite;
    runStatement(
      world.db,
      'UPDATE people SET sellerDefaults = ?, homeSite = ? WHERE userId = ?',
      JSON.stringify(saved),
      homeSite,
      person.userId,
    );
    return { ...saved, marketplaceId: homeSite };
  });
