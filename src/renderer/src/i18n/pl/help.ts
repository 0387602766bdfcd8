import type { Words } from '../words.ts';

export const help: Words<'one' | 'few' | 'many' | 'other'>['help'] = {
  title: 'Pomoc',
  guide: 'Jak to działa',
  photosTitle: 'Od zdjęć do oferty',
  photos:
    'Przeciągnij do okna folder ze zdjęciami; każdy folder staje się jednym przedmiotem. Zdjęcia są na tym komputerze obracane, zmniejszane i pozbawiane danych o miejscu i aparacie, a potem wysyłane. Na ich podstawie serwis pisze tytuł, opis, kategorię i cenę. Twoje własne pliki nigdy się nie zmieniają.',
  reviewTitle: 'Sprawdzenie',
  review:
    'Napisana oferta czeka w sekcji „Przedmioty”. Przeczytaj ją i zmień wszystko, co się nie zgadza; przy polach widać, czego jeszcze wymaga platforma. Nic jeszcze nie jest aktywne.',
  yesTitle: 'Jedna zgoda',
  yes: 'Przy publikacji jedno okno pokazuje zdjęcie, cenę i opłatę platformy. Oferta staje się aktywna dopiero po Twojej zgodzie. O sprzedaży informuje powiadomienie.',
  neverTitle: 'Co nigdy nie dzieje się bez Twojej zgody',
  never:
    'Publikacja, zmiana lub zakończenie aktywnej oferty, usuwanie, pisanie treści od nowa, włączanie i rezerwacja dodatkowych ofert, otwieranie strony płatności, zmiana warunków i ustawień domyślnych sprzedawcy, odłączanie oraz wysyłanie wiadomości do serwisu. Każde z nich pyta w osobnym oknie i odpowiedzieć możesz tylko Ty.',
  assistantsTitle: 'Asystenci',
  assistants:
    'Asystenci AI na tym komputerze mogą pracować przez aplikację, gdy ich dopuścisz. Mogą dodawać zdjęcia, zlecać pisanie ofert, edytować szkice i prosić o resztę. Nie mogą udzielać zgody, zobaczyć klucza, otworzyć strony płatności ani przekroczyć ustawionych limitów. Wszystko, co robią, widać w sekcji „Asystenci”.',
  keyTitle: 'Twój klucz i serwis testowy',
  key: 'Klucz do Twojego konta jest w pęku kluczy tego komputera i nigdzie indziej; nie dostaje go żaden asystent ani dziennik. Serwis testowy działa tylko na tym komputerze: bez konta, bez pieniędzy, nic nie wychodzi na zewnątrz. Wypróbuj tam wszystko najpierw.',
  tour: 'Pokaż wprowadzenie',
  keys: 'Skróty klawiszowe',
  trouble: 'Gdy coś nie działa',
  offline: 'Brak połączenia',
  offlineText: 'Informuje o tym pasek u góry; mówi też, co nadal działa. Zniknie sam; nic nie przepadnie.',
  stopped: 'Przedmiot utknął',
  stoppedText: 'Otwórz go: zobaczysz powód i następny krok.',
  reconnect: 'Serwis nie rozpoznaje już aplikacji',
  reconnectText: 'Połącz ponownie w sekcji <account>Konto</account>. Przedmioty i oferty zostają.',
  diagnostics: 'Ktoś Ci pomaga',
  diagnosticsText:
    'Dzienniki i plik diagnostyczny są w <settings>Ustawieniach</settings>. Przeczytaj plik, zanim go wyślesz.',
  contact: 'Napisz do serwisu',
  contactText: 'Wiadomość trafi do zespołu serwisu. Przed wysłaniem zobaczysz ją jeszcze raz.',
  reply: 'Adres do odpowiedzi',
  replyWrong: 'Do odpowiedzi potrzebny jest adres e-mail.',
  message: 'Wiadomość',
  messageWrong: 'Wpisz treść wiadomości.',
  send: 'Wyślij…',
  waits: 'Czeka na Twoją zgodę.',
  notSent: 'Nie wysłano. Wpisana treść nadal tu jest.',
  sent: 'Wysłano. Odpowiedź przyjdzie e-mailem na adres {{email}}.',
  notConnected: 'Najpierw połącz konto; wtedy będzie można stąd pisać.',
};
