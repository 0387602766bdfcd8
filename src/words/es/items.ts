import type { Words } from '../saying.ts';

export const items: Words['items'] = {
  cancelled: 'Cancelado',
  failed: 'Fallido',
  preparing: 'Preparando las fotos, {{done}} de {{total}}',
  toBeLookedAt: 'Fotos listas para revisar',
  drafting: 'Creando el borrador',
  uploading: { one: 'Subiendo, {{done}} de {{count}} foto', other: 'Subiendo, {{done}} de {{count}} fotos' },
  inLine: 'En espera de redacción',
  inLineAt: 'En espera de redacción, puesto {{place}}',
  writing: 'En redacción',
  writingLong: 'En redacción, más de lo habitual',
  toReview: 'Listo para revisar',
  live: 'Activo',
  ended: 'Finalizado',
  waiting: '{{state}}, a la espera del servicio',
  added: '{{items}} con {{photos}}.',
  addedSome: '{{items}} con {{photos}}; sin usar: {{others}}.',
  addedByGuess: '{{added}} Algunas fotos se han agrupado por suposición: revíselas antes de que sigan adelante.',
  items: { one: '{{count}} artículo', other: '{{count}} artículos' },
  photos: { one: '{{count}} foto', other: '{{count}} fotos' },
  otherFiles: { one: '{{count}} archivo de otro tipo', other: '{{count}} archivos de otro tipo' },
};
