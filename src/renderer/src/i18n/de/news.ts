import type { Words } from '../words.ts';

export const news: Words['news'] = {
  title: 'Mitteilungen',
  list: 'Mitteilungen, neueste zuerst',
  new: 'Neu',
  unread: 'Nicht geöffnet',
  open: 'Angebot öffnen',
  markRead: 'Als gelesen markieren',
  readAt: 'Zuletzt gelesen: <when/> – nachgesehen wird einmal in der Minute, solange nichts pausiert ist.',
  notYet: 'Sie werden innerhalb einer Minute vom Dienst gelesen.',
  emptyTitle: 'Hier stehen dann Ihre Mitteilungen',
  empty:
    'Verkäufe, was aus dem Veröffentlichen wurde, und Nachrichten zum Konto. Die erste kommt, wenn ein Angebot online geht.',
  firstStep: 'Ansehen, was fertig ist',
  kind: {
    sale: 'Verkauf',
    published: 'Veröffentlicht',
    listing_ready: 'Bereit zum Ansehen',
    listing_failed: 'Nicht geschrieben',
    account: 'Konto',
    other: 'Nachricht',
  },
};
