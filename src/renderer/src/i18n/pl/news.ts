import type { Words } from '../words.ts';

export const news: Words<'one' | 'few' | 'many' | 'other'>['news'] = {
  title: 'Powiadomienia',
  list: 'Powiadomienia, od najnowszych',
  new: 'Nowe',
  unread: 'Nieotwarte',
  open: 'Otwórz ofertę',
  markRead: 'Oznacz jako przeczytane',
  readAt: 'Ostatnio sprawdzono <when/>. Aplikacja sprawdza co minutę, o ile nic nie jest wstrzymane.',
  notYet: 'Zostaną wczytane z serwisu w ciągu minuty.',
  emptyTitle: 'Tu będą Twoje powiadomienia',
  empty: 'Sprzedaż, wyniki publikacji i wiadomości o koncie. Pierwsze przyjdzie, gdy któraś oferta stanie się aktywna.',
  firstStep: 'Przejrzyj, co jest gotowe',
  kind: {
    sale: 'Sprzedaż',
    published: 'Opublikowano',
    listing_ready: 'Do sprawdzenia',
    listing_failed: 'Nie napisano',
    account: 'Konto',
    other: 'Wiadomość',
  },
};
