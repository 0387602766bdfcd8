import { siteNames, sites } from '../../../words/en/sites.ts';
import type { Saying } from '../../../words/saying.ts';

/** A site as it stands after "on", in the person's language; one that nobody knows stays as it is. */
export const siteName = (site: string): Saying | string =>
  Object.hasOwn(sites, site) ? { key: `sites.${site}` } : site;

/** A site by its country; one that nobody knows stays as it is. */
export const siteCountry = (site: string): Saying | string =>
  Object.hasOwn(siteNames, site) ? { key: `siteNames.${site}` } : site;
