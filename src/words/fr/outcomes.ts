import type { Words } from '../saying.ts';

export const outcomes: Words['outcomes'] = {
  done: 'C’est fait.',
  published: 'Publiée. L’annonce est en ligne.',
  ended: 'L’annonce est terminée.',
  deleted: 'L’annonce est supprimée.',
  revised: 'L’annonce en ligne est modifiée.',
  writing: 'La nouvelle rédaction est en cours.',
  checkout: 'La page de paiement est prête à être ouverte. Rien n’est débité tant que vous n’y payez pas.',
  billing: 'Vos pages de facturation sont prêtes à être ouvertes.',
  aside: 'Les extras sont réservés pour 24 heures. Un reçu arrive par e-mail.',
  policies: 'Les conditions de base sont créées.',
  defaults: 'Les valeurs par défaut sont enregistrées.',
};
