import type { Words } from '../saying.ts';

/** Sites as they stand after "on": "Publish on the German site". */
export const sites: Words['sites'] = {
  MKT_US: 'amerykańskiej stronie',
  MKT_GB: 'brytyjskiej stronie',
  MKT_DE: 'niemieckiej stronie',
  MKT_FR: 'francuskiej stronie',
  MKT_IT: 'włoskiej stronie',
  MKT_ES: 'hiszpańskiej stronie',
  MKT_AT: 'austriackiej stronie',
  MKT_CH: 'szwajcarskiej stronie',
  MKT_NL: 'holenderskiej stronie',
  MKT_BE: 'belgijskiej stronie',
  MKT_IE: 'irlandzkiej stronie',
  MKT_PL: 'polskiej stronie',
  MKT_CA: 'kanadyjskiej stronie',
  MKT_AU: 'australijskiej stronie',
  MKT_SE: 'szwedzkiej stronie',
};

/** Sites by their country. */
export const siteNames: Words['siteNames'] = {
  MKT_US: 'Stany Zjednoczone',
  MKT_GB: 'Wielka Brytania',
  MKT_DE: 'Niemcy',
  MKT_FR: 'Francja',
  MKT_IT: 'Włochy',
  MKT_ES: 'Hiszpania',
  MKT_AT: 'Austria',
  MKT_CH: 'Szwajcaria',
  MKT_NL: 'Holandia',
  MKT_BE: 'Belgia',
  MKT_IE: 'Irlandia',
  MKT_PL: 'Polska',
  MKT_CA: 'Kanada',
  MKT_AU: 'Australia',
  MKT_SE: 'Szwecja',
};
