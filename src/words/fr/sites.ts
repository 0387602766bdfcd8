import type { Words } from '../saying.ts';

/** Sites as they stand after "on": "Publish on the German site". */
export const sites: Words['sites'] = {
  MKT_US: 'le site américain',
  MKT_GB: 'le site britannique',
  MKT_DE: 'le site allemand',
  MKT_FR: 'le site français',
  MKT_IT: 'le site italien',
  MKT_ES: 'le site espagnol',
  MKT_AT: 'le site autrichien',
  MKT_CH: 'le site suisse',
  MKT_NL: 'le site néerlandais',
  MKT_BE: 'le site belge',
  MKT_IE: 'le site irlandais',
  MKT_PL: 'le site polonais',
  MKT_CA: 'le site canadien',
  MKT_AU: 'le site australien',
  MKT_SE: 'le site suédois',
};

/** Sites by their country. */
export const siteNames: Words['siteNames'] = {
  MKT_US: 'États-Unis',
  MKT_GB: 'Royaume-Uni',
  MKT_DE: 'Allemagne',
  MKT_FR: 'France',
  MKT_IT: 'Italie',
  MKT_ES: 'Espagne',
  MKT_AT: 'Autriche',
  MKT_CH: 'Suisse',
  MKT_NL: 'Pays-Bas',
  MKT_BE: 'Belgique',
  MKT_IE: 'Irlande',
  MKT_PL: 'Pologne',
  MKT_CA: 'Canada',
  MKT_AU: 'Australie',
  MKT_SE: 'Suède',
};
