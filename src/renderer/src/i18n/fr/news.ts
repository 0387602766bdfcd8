import type { Words } from '../words.ts';

export const news: Words['news'] = {
  title: 'Notifications',
  list: 'Notifications, les plus récentes d’abord',
  new: 'Nouveau',
  unread: 'Non ouverte',
  open: 'Ouvrir l’annonce',
  markRead: 'Marquer comme lue',
  readAt: 'Dernière lecture : <when/>. Elles sont recherchées chaque minute tant que rien n’est en pause.',
  notYet: 'Elles sont lues auprès du service dans la minute.',
  emptyTitle: 'Vos notifications s’afficheront ici',
  empty:
    'Ventes, résultats des publications et avis sur votre compte. La première arrive quand une annonce est mise en ligne.',
  firstStep: 'Voir ce qui est prêt',
  kind: {
    sale: 'Vente',
    published: 'Publiée',
    listing_ready: 'À vérifier',
    listing_failed: 'Non rédigée',
    account: 'Compte',
    other: 'Avis',
  },
};
