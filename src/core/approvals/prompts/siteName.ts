import { core } from '../../../i18n/english.ts';
import type { Message } from '../../../i18n/message.ts';

/** A site as it stands after "on", in the person's language; one that nobody knows stays as it is. */
export const siteName = (site: string): Message | string =>
  Object.hasOwn(core.sites, site) ? { key: `sites.${site}` } : site;

/** A site by its country; one that nobody knows stays as it is. */
export const siteCountry = (site: string): Message | string =>
  Object.hasOwn(core.siteNames, site) ? { key: `siteNames.${site}` } : site;
