import type { Words } from '../words.ts';

export const connect: Words<'one' | 'few' | 'many' | 'other'>['connect'] = {
  title: 'Połącz moje konto',
  connect: 'Połącz',
  back: 'Wstecz',
  lead: 'Przeciągnij foldery ze zdjęciami. Z każdego powstanie gotowa oferta. Przejrzysz ją, a bez Twojej zgody nic nie zostanie opublikowane ani opłacone.',
  lookAround: 'Najpierw się rozejrzyj',
  lookAroundText: 'Serwis testowy działa na tym komputerze. Bez konta, bez pieniędzy, nic nie wychodzi na zewnątrz.',
  practice: 'Wypróbuj na danych testowych',
  forReal: 'Sprzedawaj naprawdę',
  forRealText: 'Z adresem e-mail Twojego konta w serwisie; jeśli go nie ma, powstanie bezpłatne.',
  email: 'E-mail',
  emailHelp: 'Adres Twojego konta. Jeśli konta jeszcze nie ma, powstanie bezpłatne.',
  emailNext:
    'Na ten adres przyjdzie 6-cyfrowy kod. Regulamin i politykę prywatności można przeczytać przed wpisaniem kodu.',
  sendCode: 'Wyślij kod e-mailem',
  code: '6-cyfrowy kod',
  codeHelp: 'Działa przez 10 minut, jeden raz.',
  newCode: 'Wyślij nowy kod',
  otherAddress: 'Użyj innego adresu',
  terms:
    'Kod wysłano na adres <email/>. Połączenie oznacza akceptację <terms>regulaminu</terms> i <privacy>polityki prywatności</privacy> serwisu. Jeśli dla tego adresu nie ma jeszcze konta, powstanie bezpłatne.',
  tour: {
    name: 'Wprowadzenie',
    at: 'Krok {{at}} z {{of}}',
    dropTitle: 'Przeciągnij zdjęcia',
    drop: 'Przeciągnij folder ze zdjęciami w dowolne miejsce tego okna. Każdy folder staje się jednym przedmiotem, a z jego zdjęć powstaje oferta.',
    lookTitle: 'Przejrzyj',
    look: 'Napisana oferta czeka na sprawdzenie w sekcji „Przedmioty”. Zmień to, co się nie zgadza; nic jeszcze nie jest aktywne.',
    yesTitle: 'Jedna zgoda',
    yes: 'Zanim coś zostanie opublikowane lub opłacone, jedno okno pokazuje, co to jest i ile kosztuje. Dopiero Twoja zgoda w tym oknie to wysyła.',
    back: 'Wstecz',
    next: 'Dalej',
    done: 'Gotowe',
    skip: 'Pomiń wprowadzenie',
  },
};
