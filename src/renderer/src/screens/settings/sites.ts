/** Sites that a listing can be meant for. Any other that the service has comes with its own listings. */
const sites: readonly (readonly [string, string])[] = [
  ['MKT_US', 'United States'],
  ['MKT_GB', 'United Kingdom'],
  ['MKT_DE', 'Germany'],
  ['MKT_FR', 'France'],
  ['MKT_IT', 'Italy'],
  ['MKT_ES', 'Spain'],
  ['MKT_AT', 'Austria'],
  ['MKT_CH', 'Switzerland'],
  ['MKT_NL', 'Netherlands'],
  ['MKT_BE', 'Belgium'],
  ['MKT_IE', 'Ireland'],
  ['MKT_PL', 'Poland'],
  ['MKT_CA', 'Canada'],
  ['MKT_AU', 'Australia'],
  ['MKT_SE', 'Sweden'],
];

/** The choices of the site setting; the first leaves it to the service. */
export const siteChoices = [
  { value: '', label: 'As the service has it' },
  ...sites.map(([value, name]) => ({ value, label: `${name} (${value})` })),
];
