import { limits, plans, type Standing } from '../../contract/index.ts';

/** How many photos the plan takes for one listing; never more than the service's own limit. */
export const photoCap = (standing: Standing | null): number => {
  const code = standing?.plan?.code?.toLowerCase();
  const known = standing?.plan?.photosPerListing ?? plans.find((plan) => plan.code === code)?.photosPerListing;
  return Math.min(known ?? limits.photosPerListing, limits.photosPerListing);
};
