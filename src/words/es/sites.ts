import type { Words } from '../saying.ts';

/** Sites as they stand after "on": "Publish on the German site". */
export const sites: Words['sites'] = {
  MKT_US: 'el sitio estadounidense',
  MKT_GB: 'el sitio británico',
  MKT_DE: 'el sitio alemán',
  MKT_FR: 'el sitio francés',
  MKT_IT: 'el sitio italiano',
  MKT_ES: 'el sitio español',
  MKT_AT: 'el sitio austriaco',
  MKT_CH: 'el sitio suizo',
  MKT_NL: 'el sitio neerlandés',
  MKT_BE: 'el sitio belga',
  MKT_IE: 'el sitio irlandés',
  MKT_PL: 'el sitio polaco',
  MKT_CA: 'el sitio canadiense',
  MKT_AU: 'el sitio australiano',
  MKT_SE: 'el sitio sueco',
};

/** Sites by their country. */
export const siteNames: Words['siteNames'] = {
  MKT_US: 'Estados Unidos',
  MKT_GB: 'Reino Unido',
  MKT_DE: 'Alemania',
  MKT_FR: 'Francia',
  MKT_IT: 'Italia',
  MKT_ES: 'España',
  MKT_AT: 'Austria',
  MKT_CH: 'Suiza',
  MKT_NL: 'Países Bajos',
  MKT_BE: 'Bélgica',
  MKT_IE: 'Irlanda',
  MKT_PL: 'Polonia',
  MKT_CA: 'Canadá',
  MKT_AU: 'Australia',
  MKT_SE: 'Suecia',
};
