/** Sites as they stand after "on": "Publish on the German site". */
export const sites = {
  MKT_US: 'the US site',
  MKT_GB: 'the British site',
  MKT_DE: 'the German site',
  MKT_FR: 'the French site',
  MKT_IT: 'the Italian site',
  MKT_ES: 'the Spanish site',
  MKT_AT: 'the Austrian site',
  MKT_CH: 'the Swiss site',
  MKT_NL: 'the Dutch site',
  MKT_BE: 'the Belgian site',
  MKT_IE: 'the Irish site',
  MKT_PL: 'the Polish site',
  MKT_CA: 'the Canadian site',
  MKT_AU: 'the Australian site',
  MKT_SE: 'the Swedish site',
} as const;

/** Sites by their country. */
export const siteNames = {
  MKT_US: 'United States',
  MKT_GB: 'United Kingdom',
  MKT_DE: 'Germany',
  MKT_FR: 'France',
  MKT_IT: 'Italy',
  MKT_ES: 'Spain',
  MKT_AT: 'Austria',
  MKT_CH: 'Switzerland',
  MKT_NL: 'Netherlands',
  MKT_BE: 'Belgium',
  MKT_IE: 'Ireland',
  MKT_PL: 'Poland',
  MKT_CA: 'Canada',
  MKT_AU: 'Australia',
  MKT_SE: 'Sweden',
} as const;
