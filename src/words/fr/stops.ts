import type { Words } from '../saying.ts';

export const stops: Words['stops'] = {
  CANCELLED: 'Vous l’avez arrêté ici. Rien n’a été publié.',
  'CANCELLED.writing':
    'Vous n’attendez plus cette annonce. Le service en finira peut-être la rédaction ; rien n’est publié.',
  DELETED: 'L’annonce a été supprimée. Les photos sont toujours ici.',
  NO_PHOTOS:
    'Aucune photo n’est utilisable. Lisez ce qui est dit de chacune, puis déposez-en de meilleures comme nouvel objet.',
  DRAFT_UNKNOWN:
    'Le brouillon a été demandé il y a plus d’un jour et la réponse n’est jamais venue. Cherchez-le dans vos annonces avant de déposer à nouveau ces photos.',
  ALLOWANCE_USED:
    'Les annonces de ce mois sont épuisées. Rien n’a été rédigé. Réessayez après le renouvellement ou avec un forfait supérieur.',
  WOULD_BE_EXTRA:
    'La prochaine annonce serait un extra payant, qui demande d’abord votre accord. Réservez-en sous « Compte », puis réessayez. Rien n’a été rédigé.',
  USAGE_LIMIT: 'Les annonces de ce mois sont épuisées, celle-ci n’a donc pas été rédigée.',
  IMAGES_UNREADABLE: 'Le service n’a pas pu lire les photos. Déposez-en de plus nettes comme nouvel objet.',
  WRITING_FAILED: 'La rédaction a échoué du côté du service.',
  ASKED_AGAIN: 'Une nouvelle rédaction utilise une annonce de plus et attend donc votre accord.',
};
