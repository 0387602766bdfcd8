import { atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { refuse } from '../refusal.ts';
import { note } from './journal.ts';
import { knownPerson, type Person } from './people.ts';
import type { World } from './world.ts';

/** Keeps that the person knows of the marketplace's own fees on a site. Confirming twice is confirming once. */
export const confirmFees = (world: World, person: Person, listingId: string, site: string): string[] =>
  atomically(world.db, () => {
    if (!siteOf(site)) refuse(400, `${site} is not one of the supported sites.`);
    const { confirmedSites } = knownPerson(world, person.userId);
    if (confirmedSites.includes(site)) return confirmedSites;
    const now = [...confirmedSites, site];
    run(world.db, 'UPDATE people SET confirmedSites = ? WHERE userId = ?', JSON.stringify(now), person.userId);
    note(world, 'fee_confirmed', { userId: person.userId, listingId, marketplaceId: site });
    return now;
  });
