import type { Words } from '../saying.ts';

/** Sites as they stand after "on": "Publish on the German site". */
export const sites: Words['sites'] = {
  MKT_US: 'sito statunitense',
  MKT_GB: 'sito britannico',
  MKT_DE: 'sito tedesco',
  MKT_FR: 'sito francese',
  MKT_IT: 'sito italiano',
  MKT_ES: 'sito spagnolo',
  MKT_AT: 'sito austriaco',
  MKT_CH: 'sito svizzero',
  MKT_NL: 'sito olandese',
  MKT_BE: 'sito belga',
  MKT_IE: 'sito irlandese',
  MKT_PL: 'sito polacco',
  MKT_CA: 'sito canadese',
  MKT_AU: 'sito australiano',
  MKT_SE: 'sito svedese',
};

/** Sites by their country. */
export const siteNames: Words['siteNames'] = {
  MKT_US: 'Stati Uniti',
  MKT_GB: 'Regno Unito',
  MKT_DE: 'Germania',
  MKT_FR: 'Francia',
  MKT_IT: 'Italia',
  MKT_ES: 'Spagna',
  MKT_AT: 'Austria',
  MKT_CH: 'Svizzera',
  MKT_NL: 'Paesi Bassi',
  MKT_BE: 'Belgio',
  MKT_IE: 'Irlanda',
  MKT_PL: 'Polonia',
  MKT_CA: 'Canada',
  MKT_AU: 'Australia',
  MKT_SE: 'Svezia',
};
