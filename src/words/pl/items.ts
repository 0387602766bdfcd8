import type { Words } from '../saying.ts';

export const items: Words['items'] = {
  cancelled: 'Anulowano',
  failed: 'Nie powiodło się',
  preparing: 'Przygotowywanie zdjęć, {{done}} z {{total}}',
  toBeLookedAt: 'Do przejrzenia',
  drafting: 'Tworzenie szkicu',
  uploading: {
    one: 'Wysyłanie, {{done}} z {{count}} zdjęcia',
    few: 'Wysyłanie, {{done}} z {{count}} zdjęć',
    many: 'Wysyłanie, {{done}} z {{count}} zdjęć',
    other: 'Wysyłanie, {{done}} z {{count}} zdjęcia',
  },
  inLine: 'Czeka na napisanie',
  inLineAt: 'Czeka na napisanie, miejsce w kolejce: {{place}}',
  writing: 'Pisanie oferty',
  writingLong: 'Pisanie oferty, dłużej niż zwykle',
  toReview: 'Do sprawdzenia',
  live: 'Aktywna',
  ended: 'Zakończona',
  waiting: '{{state}}, oczekiwanie na serwis',
  added: 'Dodano: {{items}} ({{photos}}).',
  addedSome: 'Dodano: {{items}} ({{photos}}); pominięto: {{others}}.',
  addedByGuess: '{{added}} Niektóre zdjęcia pogrupowano na podstawie przypuszczeń: przejrzyj je, zanim ruszą dalej.',
  items: {
    one: '{{count}} przedmiot',
    few: '{{count}} przedmioty',
    many: '{{count}} przedmiotów',
    other: '{{count}} przedmiotu',
  },
  photos: {
    one: '{{count}} zdjęcie',
    few: '{{count}} zdjęcia',
    many: '{{count}} zdjęć',
    other: '{{count}} zdjęcia',
  },
  otherFiles: {
    one: '{{count}} inny plik',
    few: '{{count}} inne pliki',
    many: '{{count}} innych plików',
    other: '{{count}} innego pliku',
  },
};
