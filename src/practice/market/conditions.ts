import { t, type Localised } from './languages.ts';

/** Every condition of the practice marketplace, best first. */
export const conditions = [
  'NEW',
  'NEW_OTHER',
  'LIKE_NEW',
  'USED_EXCELLENT',
  'USED_GOOD',
  'USED_ACCEPTABLE',
  'FOR_PARTS',
] as const;
export type Condition = (typeof conditions)[number];

/** The name of each condition in each language. */
export const conditionNames: Readonly<Record<Condition, Localised>> = {
  NEW: t('New|Neu|Neuf|Nuovo|Nuevo|Nieuw|Nowy|Ny'),
  NEW_OTHER: t(
    'New (other)|Neu (sonstige)|Neuf (autre)|Nuovo (altro)|Nuevo (otro)|Nieuw (overig)|Nowy (inny)|Ny (övrigt)',
  ),
  LIKE_NEW: t('Like new|Wie neu|Comme neuf|Come nuovo|Como nuevo|Zo goed als nieuw|Jak nowy|Som ny'),
  USED_EXCELLENT: t(
    'Used – excellent|Gebraucht – hervorragend|Occasion – excellent état|Usato – ottimo|Usado – excelente|Gebruikt – uitstekend|Używany – idealny|Begagnad – utmärkt skick',
  ),
  USED_GOOD: t(
    'Used – good|Gebraucht – gut|Occasion – bon état|Usato – buono|Usado – bueno|Gebruikt – goed|Używany – dobry|Begagnad – gott skick',
  ),
  USED_ACCEPTABLE: t(
    'Used – acceptable|Gebraucht – akzeptabel|Occasion – état acceptable|Usato – accettabile|Usado – aceptable|Gebruikt – redelijk|Używany – dostateczny|Begagnad – godtagbart skick',
  ),
  FOR_PARTS: t(
    'For parts or not working|Als Ersatzteil / defekt|Pour pièces ou ne fonctionne pas|Per ricambi o non funzionante|Para piezas o no funciona|Voor onderdelen of defect|Na części lub uszkodzony|För delar eller defekt',
  ),
};

/** Which conditions a kind of goods can have; a category names one of these lists. */
export const conditionLists = {
  goods: conditions,
  books: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  worn: ['NEW', 'NEW_OTHER', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE'],
  collected: ['NEW', 'LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD', 'USED_ACCEPTABLE', 'FOR_PARTS'],
  living: ['NEW', 'USED_GOOD'],
  newOnly: ['NEW', 'NEW_OTHER'],
} as const satisfies Record<string, readonly Condition[]>;

/** The name of one of these lists. */
export type ConditionList = keyof typeof conditionLists;

/** How much of a new item's price is asked for one in this condition. */
export const conditionWorth: Readonly<Record<Condition, number>> = {
  NEW: 1,
  NEW_OTHER: 0.88,
  LIKE_NEW: 0.76,
  USED_EXCELLENT: 0.64,
  USED_GOOD: 0.5,
  USED_ACCEPTABLE: 0.34,
  FOR_PARTS: 0.18,
};
