import { locale } from '../../../i18n/locale.ts';
import { entryOf } from '../../../../../contract/foreign.ts';

/** The language that buyers of a site read, where it is not that of its country's code. */
const own: Readonly<Record<string, string>> = {
  MKT_US: 'en',
  MKT_GB: 'en',
  MKT_IE: 'en',
  MKT_CA: 'en',
  MKT_AU: 'en',
  MKT_AT: 'de',
  MKT_CH: 'de',
  MKT_BE: 'nl',
  MKT_SE: 'sv',
};

/** The language that buyers of a site read, as a BCP 47 tag. */
export const ownLanguage = (site: string): string => entryOf(own, site) ?? site.replace(/^MKT_/, '').toLowerCase();

/** The languages of the sites known here. */
export const listingLanguages = ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl', 'sv'] as const;

/** A language by its name in the language of the screens. */
export const languageName = (language: string): string =>
  new Intl.DisplayNames(locale(), { type: 'language' }).of(language) ?? language;
