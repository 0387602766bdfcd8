import type { Words } from '../saying.ts';

export const refusals: Words['refusals'] = {
  EMPTY_FILE: 'Ten plik jest pusty. Skopiuj go jeszcze raz z telefonu lub aparatu.',
  NOT_A_PHOTO: 'Ten plik nie jest zdjęciem. Pomiń go lub dodaj zdjęcie, z którego powstał.',
  TRUNCATED: 'Brakuje końcówki tego zdjęcia, więc części nie widać. Skopiuj je jeszcze raz z telefonu lub aparatu.',
  DAMAGED: 'To zdjęcie jest uszkodzone i jego części nie widać. Skopiuj je jeszcze raz lub zrób nowe.',
  TOO_LARGE: 'To zdjęcie ma za dużo pikseli, aby je tu przygotować. Zapisz mniejszą kopię i dodaj ją.',
  FILE_TOO_LARGE: 'Ten plik jest za duży, aby go tu przygotować. Zapisz mniejszą kopię i dodaj ją.',
  TOO_SMALL: 'Ten obraz jest za mały do oferty. Użyj oryginalnego zdjęcia, a nie jego podglądu.',
  EXTREME_SHAPE: 'Ten obraz jest o wiele za długi i za wąski do oferty. Wytnij fragment, na którym widać przedmiot.',
  ANIMATED:
    'Ten obraz jest ruchomy. Kupujący widzą nieruchome zdjęcie: zapisz jedną klatkę jako JPEG lub PNG i dodaj ją.',
  SVG: 'To rysunek (SVG), a nie zdjęcie. Zapisz go jako JPEG lub PNG i dodaj ten plik.',
  PDF: 'To plik PDF, a nie zdjęcie. Zapisz stronę jako JPEG lub PNG i dodaj ten plik.',
  VIDEO: 'To film, a nie zdjęcie. Zapisz z niego pojedynczy kadr i dodaj go.',
  CAMERA_RAW: 'To surowy plik z aparatu (RAW). Zapisz go jako JPEG w programie do aparatu i dodaj ten plik.',
  OTHER_PICTURE: 'Nie można tu odczytać tego rodzaju pliku. Zapisz go jako JPEG lub PNG i dodaj ten plik.',
  HEIC_UNREADABLE: 'Nie można tu odczytać tego zdjęcia z iPhone’a (HEIC). Zapisz je jako JPEG i dodaj ten plik.',
  MISSING_FILE: 'Tego zdjęcia nie ma już na swoim miejscu. Przywróć je lub dodaj ponownie z nowego miejsca.',
  OUTSIDE_FOLDER:
    'Dowiązanie prowadzi stąd teraz poza dodany folder. Umieść tu samo zdjęcie albo dodaj je z miejsca, w którym leży.',
  UNREADABLE_FILE:
    'Nie można otworzyć tego zdjęcia. Sprawdź uprawnienia do odczytu i podłączenie dysku, a potem spróbuj ponownie.',
  NO_SPACE: 'Dysk jest pełny, więc nie udało się przygotować tego zdjęcia. Zwolnij miejsce i spróbuj ponownie.',
  CANNOT_WRITE:
    'Nie udało się zapisać przygotowanego zdjęcia. Sprawdź, czy można zapisywać w folderze aplikacji, i spróbuj ponownie.',
  WORKER_DIED: 'Przygotowanie tego zdjęcia dwa razy się nie powiodło. Zapisz jego kopię jako JPEG i dodaj ją.',
};

export const aside: Words['aside'] = {
  person: 'To zdjęcie zostało przez Ciebie odłożone.',
  duplicate: 'To zdjęcie wygląda tak samo jak „{{name}}”, więc zostaje tutaj.',
  over_cap: 'Twój plan obejmuje do {{most}} zdjęć na ofertę. To zdjęcie zostaje tutaj.',
};

export const changes: Words['changes'] = {
  Merge: 'Scalenie',
  Split: 'Podział',
  'Move photos': 'Przeniesienie zdjęć',
  Order: 'Kolejność',
  'Remove photo': 'Wyjęcie zdjęcia',
  'Remove photos': 'Wyjęcie zdjęć',
  'Put back': 'Przywrócenie',
  'Set aside': 'Odłożenie',
  'Take in': 'Użycie',
  'Split at barcodes and sheets': 'Podział według kodów kreskowych i kartek',
  'Edit photo': 'Edycja zdjęcia',
};
