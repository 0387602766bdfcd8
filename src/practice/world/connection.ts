import { atomically, run } from '../database.ts';
import { newId, randomText } from '../ids.ts';
import { siteOf } from '../market/sites.ts';
import { note } from './journal.ts';
import { knownPerson, type Person } from './people.ts';
import { bootstrapPolicies, policiesOf, policyKinds } from './policies.ts';
import type { World } from './world.ts';

/** Connects the person's marketplace account. A person who connects again has the same account. */
export const connectMarket = (world: World, userId: string): void =>
  atomically(world.db, () => {
    const person = knownPerson(world, userId);
    run(
      world.db,
      'UPDATE people SET connectedAt = ?, accountId = ?, accountName = ? WHERE userId = ?',
      world.clock.now(),
      person.accountId ?? newId('mac'),
      person.accountName ?? `seller-${randomText(6).toLowerCase()}`,
      userId,
    );
    note(world, 'connected', { userId });
  });

/** Takes the connection away; live listings stay live at the marketplace. */
export const disconnectMarket = (world: World, userId: string): void =>
  atomically(world.db, () => {
    run(world.db, 'UPDATE people SET connectedAt = NULL WHERE userId = ?', userId);
    note(world, 'disconnected', { userId });
  });

/** Makes a connected person ready to publish on their own site: policies with flat postage, and a location. */
export const makeReady = (world: World, userId: string): void =>
  atomically(world.db, () => {
    const person = knownPerson(world, userId);
    bootstrapPolicies(world, person, person.homeSite, 'flat');
    const site = siteOf(person.homeSite);
    const location = { country: site?.country ?? 'US', postalCode: site?.postalCode.example ?? '94107' };
    const defaults = JSON.stringify({ ...person.sellerDefaults, location });
    run(world.db, 'UPDATE people SET sellerDefaults = ? WHERE userId = ?', defaults, userId);
  });

type Missing = { code: 'CONNECTION' | 'POLICIES' | 'LOCATION'; message: string };

/** What keeps the person from publishing on a site. */
export const missingOf = (world: World, person: Person, site: string): Missing[] => {
  const kinds = new Set(policiesOf(world, person.userId, site).map(({ kind }) => kind));
  return [
    ...(person.connectedAt === null
      ? [{ code: 'CONNECTION' as const, message: 'The marketplace account is not connected.' }]
      : []),
    ...(policyKinds.every((kind) => kinds.has(kind))
      ? []
      : [{ code: 'POLICIES' as const, message: `There are no shipping, payment and return policies for ${site}.` }]),
    ...(person.sellerDefaults.location
      ? []
      : [{ code: 'LOCATION' as const, message: 'The country and postal code of the items are not known.' }]),
  ];
};
