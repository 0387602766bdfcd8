import type { Words } from '../saying.ts';

export const items: Words['items'] = {
  cancelled: 'Annulé',
  failed: 'Échec',
  preparing: 'Préparation des photos, {{done}} sur {{total}}',
  toBeLookedAt: 'Photos à vérifier',
  drafting: 'Création du brouillon',
  uploading: { one: 'Envoi, {{done}} sur {{count}} photo', other: 'Envoi, {{done}} sur {{count}} photos' },
  inLine: 'En attente de rédaction',
  inLineAt: 'En attente de rédaction, place {{place}} dans la file',
  writing: 'En rédaction',
  writingLong: 'En rédaction, plus longtemps que d’habitude',
  toReview: 'À vérifier',
  live: 'En ligne',
  ended: 'Annonce terminée',
  waiting: '{{state}}, en attente du service',
  added: '{{items}} avec {{photos}}.',
  addedSome: '{{items}} avec {{photos}} ; non repris : {{others}}.',
  addedByGuess: '{{added}} Certaines photos ont été regroupées automatiquement : vérifiez-les avant de continuer.',
  items: { one: '{{count}} objet', other: '{{count}} objets' },
  photos: { one: '{{count}} photo', other: '{{count}} photos' },
  otherFiles: { one: '{{count}} autre fichier', other: '{{count}} autres fichiers' },
};
