import type { Words } from '../words.ts';

export const news: Words['news'] = {
  title: 'Meldingen',
  list: 'Meldingen, nieuwste eerst',
  new: 'Nieuw',
  unread: 'Niet geopend',
  open: 'Aanbieding openen',
  markRead: 'Als gelezen markeren',
  readAt: 'Laatst opgehaald: <when/>. Dat gebeurt één keer per minuut, zolang er niets is gepauzeerd.',
  notYet: 'Ze worden binnen een minuut bij de dienst opgehaald.',
  emptyTitle: 'Hier komen uw meldingen te staan',
  empty:
    'Verkopen, het resultaat van publicaties en berichten over uw account. De eerste komt als er een aanbieding online gaat.',
  firstStep: 'Bekijken wat klaar is',
  kind: {
    sale: 'Verkoop',
    published: 'Gepubliceerd',
    listing_ready: 'Klaar voor controle',
    listing_failed: 'Niet geschreven',
    account: 'Account',
    other: 'Bericht',
  },
};
