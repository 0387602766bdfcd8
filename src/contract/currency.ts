import { findOwnEntry } from './untrusted.ts';

/** The currency of each known site. The interface does not list its sites, so a new site has no entry. */
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

/** Returns the currency of a listing, or else of its site; null if both are unknown. */
export const findListingCurrency = (listing: {
  currency?: string | null | undefined;
  marketplaceId?: string | null | undefined;
}): string | null => listing.currency ?? findOwnEntry(siteCurrencies, listing.marketplaceId ?? '') ?? null;
