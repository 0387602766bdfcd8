import type { Words } from '../saying.ts';

export const stops: Words['stops'] = {
  CANCELLED: 'Zatrzymano tutaj na Twoje życzenie. Nic nie zostało opublikowane.',
  'CANCELLED.writing':
    'Oczekiwanie zostało przerwane. Serwis może jeszcze dokończyć pisanie; nic nie zostanie opublikowane.',
  DELETED: 'Oferta została usunięta. Zdjęcia nadal tu są.',
  NO_PHOTOS:
    'Żadnego ze zdjęć nie można użyć. Sprawdź uwagi przy każdym z nich, a potem przeciągnij lepsze jako nowy przedmiot.',
  DRAFT_UNKNOWN:
    'O szkic poproszono ponad dobę temu, a odpowiedź nie nadeszła. Poszukaj go wśród swoich ofert, zanim przeciągniesz te zdjęcia ponownie.',
  ALLOWANCE_USED:
    'Limit ofert na ten miesiąc jest wyczerpany. Nic nie zostało napisane. Spróbuj po odnowieniu limitu lub z większym planem.',
  WOULD_BE_EXTRA:
    'Następna oferta byłaby płatną ofertą dodatkową i wymaga najpierw Twojej zgody. Zarezerwuj dodatkowe oferty w sekcji „Konto” i spróbuj ponownie. Nic nie zostało napisane.',
  USAGE_LIMIT: 'Limit ofert na ten miesiąc jest wyczerpany, więc ta oferta nie została napisana.',
  IMAGES_UNREADABLE: 'Serwis nie mógł odczytać zdjęć. Przeciągnij ostrzejsze jako nowy przedmiot.',
  WRITING_FAILED: 'Serwisowi nie udało się napisać oferty.',
  ASKED_AGAIN: 'Ponowne napisanie zużyje jeszcze jedną ofertę z limitu, więc czeka na Twoją zgodę.',
};
