import type { Words } from '../saying.ts';

export const outcomes: Words['outcomes'] = {
  done: 'Gotowe.',
  published: 'Opublikowano. Oferta jest aktywna.',
  ended: 'Oferta została zakończona.',
  deleted: 'Oferta została usunięta.',
  revised: 'Aktywna oferta została zmieniona.',
  writing: 'Oferta jest pisana od nowa.',
  checkout: 'Strona płatności jest gotowa do otwarcia. Dopóki tam nie zapłacisz, nic nie zostanie pobrane.',
  billing: 'Strony rozliczeń są gotowe do otwarcia.',
  aside: 'Dodatkowe oferty są zarezerwowane na 24 godziny. Potwierdzenie przyjdzie e-mailem.',
  policies: 'Podstawowe warunki sprzedaży zostały utworzone.',
  defaults: 'Ustawienia domyślne zostały zapisane.',
};
