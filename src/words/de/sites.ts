import type { Words } from '../saying.ts';

/** Sites as they stand after "on": "Publish on the German site". */
export const sites: Words['sites'] = {
  MKT_US: 'der US-amerikanischen Seite',
  MKT_GB: 'der britischen Seite',
  MKT_DE: 'der deutschen Seite',
  MKT_FR: 'der französischen Seite',
  MKT_IT: 'der italienischen Seite',
  MKT_ES: 'der spanischen Seite',
  MKT_AT: 'der österreichischen Seite',
  MKT_CH: 'der schweizerischen Seite',
  MKT_NL: 'der niederländischen Seite',
  MKT_BE: 'der belgischen Seite',
  MKT_IE: 'der irischen Seite',
  MKT_PL: 'der polnischen Seite',
  MKT_CA: 'der kanadischen Seite',
  MKT_AU: 'der australischen Seite',
  MKT_SE: 'der schwedischen Seite',
};

/** Sites by their country. */
export const siteNames: Words['siteNames'] = {
  MKT_US: 'Vereinigte Staaten',
  MKT_GB: 'Vereinigtes Königreich',
  MKT_DE: 'Deutschland',
  MKT_FR: 'Frankreich',
  MKT_IT: 'Italien',
  MKT_ES: 'Spanien',
  MKT_AT: 'Österreich',
  MKT_CH: 'Schweiz',
  MKT_NL: 'Niederlande',
  MKT_BE: 'Belgien',
  MKT_IE: 'Irland',
  MKT_PL: 'Polen',
  MKT_CA: 'Kanada',
  MKT_AU: 'Australien',
  MKT_SE: 'Schweden',
};
