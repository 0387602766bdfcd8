import { findOwnEntry } from './untrusted.ts';

/** The currencies of the known sites. The interface has no such list, so a new site has no entry here. */
export const siteCurrencies: Readonly<Record<string, string>> = {
  MKT_US: 'USD',
  MKT_GB: 'GBP',
  MKT_DE: 'EUR',
  MKT_FR: 'EUR',
  MKT_IT: 'EUR',
  MKT_ES: 'EUR',
  MKT_AT: 'EUR',
  MKT_CH: 'CHF',
  MKT_NL: 'EUR',
  MKT_BE: 'EUR',
  MKT_IE: 'EUR',
  MKT_PL: 'PLN',
  MKT_CA: 'CAD',
  MKT_AU: 'AUD',
  MKT_SE: 'SEK',
};

/** Returns the currency of a listing: its own, else that of its site, else null. */
export const findListingCurrency = (listing: {
  currency?: string | null | undefined;
  marketplaceId?: string | null | undefined;
}): string | null => listing.currency ?? findOwnEntry(siteCurrencies, listing.marketplaceId ?? '') ?? null;
