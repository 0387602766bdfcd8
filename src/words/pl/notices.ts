import type { Words } from '../saying.ts';

export const notices: Words['notices'] = {
  written: 'Do sprawdzenia',
  manyWritten: {
    one: '{{count}} oferta jest gotowa do sprawdzenia',
    few: '{{count}} oferty są gotowe do sprawdzenia',
    many: '{{count}} ofert jest gotowych do sprawdzenia',
    other: '{{count}} oferty jest gotowe do sprawdzenia',
  },
  writtenText: 'Bez Twojej zgody nic nie zostanie opublikowane.',
  sold: 'Sprzedano',
  manySold: {
    one: 'Sprzedano {{count}} ofertę',
    few: 'Sprzedano {{count}} oferty',
    many: 'Sprzedano {{count}} ofert',
    other: 'Sprzedano {{count}} oferty',
  },
  soldText: 'Otwórz, aby zobaczyć, co dalej.',
  untitled: 'Oferta',
  asks: '{{name}} prosi o zgodę: {{act}}',
  plain: '{{text}}',
  joined: '{{before}} · {{next}}',
  connectionEnded: 'Połączenie z Twoim kontem zostało zakończone',
  connectAgain: 'Połącz konto ponownie, aby kontynuować; wszystko zostaje bez zmian.',
  offline: 'Nie można połączyć się z serwisem. Aplikacja próbuje dalej; nic nie przepadnie.',
  folderGone: 'Nie ma obserwowanego folderu „{{name}}”. Przywróć go na miejsce lub wybierz inny w ustawieniach.',
  folderElsewhere:
    'Obserwowany folder „{{name}}” prowadzi teraz w inne miejsce, więc nic nie jest z niego pobierane. Jeśli tak ma być, wybierz go ponownie w ustawieniach.',
  keychainMissing: 'Aplikację zainstalowano bez dostępu do systemowego pęku kluczy. {{then}}',
  libsecretMissing:
    'Nie można uzyskać dostępu do systemowego pęku kluczy, ponieważ biblioteka libsecret nie jest zainstalowana. {{then}}',
  keychainUnused: '{{why}} {{then}}',
  thisRunOnly:
    'Klucz zostanie zachowany tylko do zamknięcia aplikacji; po następnym uruchomieniu trzeba będzie połączyć konto ponownie.',
  quoted: '„{{text}}”',
  fact: '{{label}}: {{value}}',
  differs: 'To, co jest online, różni się od tego, na co była zgoda',
  differsText: '„{{title}}”: sprawdź różnice. Możesz ją teraz zakończyć.',
};
