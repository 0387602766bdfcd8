import type { Words } from '../words.ts';

export const news: Words['news'] = {
  title: 'Notifiche',
  list: 'Notifiche, prima le più recenti',
  new: 'Nuova',
  unread: 'Non aperta',
  open: 'Apri l’inserzione',
  markRead: 'Segna come letta',
  readAt: 'Ultima lettura <when/>. Si controlla una volta al minuto quando nulla è in pausa.',
  notYet: 'Vengono lette dal servizio entro un minuto.',
  emptyTitle: 'Qui compariranno le notifiche',
  empty: 'Vendite, esito delle pubblicazioni e avvisi sull’account. La prima arriva quando un’inserzione va online.',
  firstStep: 'Controlla ciò che è pronto',
  kind: {
    sale: 'Vendita',
    published: 'Pubblicata',
    listing_ready: 'Da controllare',
    listing_failed: 'Non scritta',
    account: 'Account',
    other: 'Avviso',
  },
};
