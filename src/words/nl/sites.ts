import type { Words } from '../saying.ts';

/** Sites as they stand after "on": "Publish on the German site". */
export const sites: Words['sites'] = {
  MKT_US: 'de Amerikaanse site',
  MKT_GB: 'de Britse site',
  MKT_DE: 'de Duitse site',
  MKT_FR: 'de Franse site',
  MKT_IT: 'de Italiaanse site',
  MKT_ES: 'de Spaanse site',
  MKT_AT: 'de Oostenrijkse site',
  MKT_CH: 'de Zwitserse site',
  MKT_NL: 'de Nederlandse site',
  MKT_BE: 'de Belgische site',
  MKT_IE: 'de Ierse site',
  MKT_PL: 'de Poolse site',
  MKT_CA: 'de Canadese site',
  MKT_AU: 'de Australische site',
  MKT_SE: 'de Zweedse site',
};

/** Sites by their country. */
export const siteNames: Words['siteNames'] = {
  MKT_US: 'Verenigde Staten',
  MKT_GB: 'Verenigd Koninkrijk',
  MKT_DE: 'Duitsland',
  MKT_FR: 'Frankrijk',
  MKT_IT: 'Italië',
  MKT_ES: 'Spanje',
  MKT_AT: 'Oostenrijk',
  MKT_CH: 'Zwitserland',
  MKT_NL: 'Nederland',
  MKT_BE: 'België',
  MKT_IE: 'Ierland',
  MKT_PL: 'Polen',
  MKT_CA: 'Canada',
  MKT_AU: 'Australië',
  MKT_SE: 'Zweden',
};
