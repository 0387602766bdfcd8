import { atomically, run } from '../database.ts';
import { isPostalCode, sites, siteOf } from '../market/sites.ts';
import { parseOpen, refuse } from '../refusal.ts';
import { requireConsistentOffer } from './listings.ts';
import { knownPerson, type Person } from './people.ts';
import { sellerDefaults, type Location, type SellerDefaults } from './sellerDefaults.ts';
import type { World } from './world.ts';

const requirePostalCode = ({ country, postalCode }: Location): void => {
  const site = sites.find((one) => one.country === country.toUpperCase());
  if (site && !isPostalCode(site, postalCode))
    refuse(400, `location.postalCode: "${postalCode}" is not a postal code of ${site.name}.`);
};

/** Saves defaults; what is not named stays, null takes a default away. */
export const saveSellerDefaults = (
  world: World,
  person: Person,
  body: unknown,
): SellerDefaults & { marketplaceId: string } =>
  atomically(world.db, () => {
    const changes = parseOpen(sellerDefaults, body);
    if (changes.location) requirePostalCode(changes.location);
    requireConsistentOffer(changes.bestOffer);
    const site = changes.marketplaceId;
    if (site && !siteOf(site)) refuse(400, `${site} is not one of the supported sites.`);
    const now = knownPerson(world, person.userId);
    const saved = { ...now.sellerDefaults, ...changes };
    const homeSite = site ?? now.homeSite;
    run(
      world.db,
      'UPDATE people SET sellerDefaults = ?, homeSite = ? WHERE userId = ?',
      JSON.stringify(saved),
      homeSite,
      person.userId,
    );
    return { ...saved, marketplaceId: homeSite };
  });
