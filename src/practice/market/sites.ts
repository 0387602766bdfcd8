export type PriceStyle = {
  locale: string;
  /** The last digits of a typical price, in minor units: 99 → 12.99, 0 → whole amounts. */
  endingMinor: number;
};

export type PostalRule = { pattern: RegExp; example: string };

export type Site = {
  id: string;
  name: string;
  language: string;
  currency: string;
  country: string;
  titleLength: number;
  price: PriceStyle;
  postalCode: PostalRule;
  /** The value of one US dollar in the site's currency. It is constant, so that prices are reproducible. */
  perDollar: number;
};

type SiteRow = readonly [
  id: string,
  name: string,
  language: string,
  currency: string,
  country: string,
  endingMinor: number,
  perDollar: number,
  postalPattern: RegExp,
  postalExample: string,
];

const fourDigits = /^[1-9]\d{3}$/;
const fiveDigits = /^\d{5}$/;

const siteRows: readonly SiteRow[] = [
  ['MKT_US', 'United States', 'en-US', 'USD', 'US', 99, 1, /^\d{5}(-\d{4})?$/, '94107'],
  ['MKT_GB', 'United Kingdom', 'en-GB', 'GBP', 'GB', 99, 0.78, /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, 'SW1A 1AA'],
  ['MKT_DE', 'Germany', 'de-DE', 'EUR', 'DE', 99, 0.92, fiveDigits, '10115'],
  ['MKT_FR', 'France', 'fr-FR', 'EUR', 'FR', 90, 0.92, fiveDigits, '75001'],
  ['MKT_IT', 'Italy', 'it-IT', 'EUR', 'IT', 90, 0.92, fiveDigits, '00184'],
  ['MKT_ES', 'Spain', 'es-ES', 'EUR', 'ES', 95, 0.92, fiveDigits, '28001'],
  ['MKT_AT', 'Austria', 'de-AT', 'EUR', 'AT', 99, 0.92, fourDigits, '1010'],
  ['MKT_CH', 'Switzerland', 'de-CH', 'CHF', 'CH', 90, 0.9, fourDigits, '8001'],
  ['MKT_NL', 'Netherlands', 'nl-NL', 'EUR', 'NL', 95, 0.92, /^[1-9]\d{3} ?[A-Z]{2}$/i, '1012 AB'],
  ['MKT_BE', 'Belgium', 'nl-BE', 'EUR', 'BE', 95, 0.92, fourDigits, '1000'],
  ['MKT_IE', 'Ireland', 'en-IE', 'EUR', 'IE', 99, 0.92, /^([A-Z]\d{2}|D6W) ?[0-9A-Z]{4}$/i, 'D02 X285'],
  ['MKT_PL', 'Poland', 'pl-PL', 'PLN', 'PL', 99, 4, /^\d{2}-\d{3}$/, '00-001'],
  ['MKT_CA', 'Canada', 'en-CA', 'CAD', 'CA', 99, 1.36, /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i, 'K1A 0B1'],
  ['MKT_AU', 'Australia', 'en-AU', 'AUD', 'AU', 95, 1.5, fourDigits, '2000'],
  ['MKT_SE', 'Sweden', 'sv-SE', 'SEK', 'SE', 0, 10.5, /^\d{3} ?\d{2}$/, '111 22'],
];

export const sites: readonly Site[] = siteRows.map(
  ([id, name, language, currency, country, endingMinor, perDollar, pattern, example]) => ({
    id,
    name,
    language,
    currency,
    country,
    titleLength: 80,
    price: { locale: language, endingMinor },
    postalCode: { pattern, example },
    perDollar,
  }),
);

const byId = new Map(sites.map((site) => [site.id, site]));

export const findSiteById = (id: string): Site | undefined => byId.get(id);

/** Formats an amount for a site: `12,99 €`. */
export const formatSitePrice = (site: Site, amountMinor: number): string =>
  new Intl.NumberFormat(site.price.locale, { style: 'currency', currency: site.currency }).format(amountMinor / 100);

export const isValidPostalCode = (site: Site, code: string): boolean => site.postalCode.pattern.test(code.trim());
