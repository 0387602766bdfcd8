import type { Words } from '../saying.ts';

export const items: Words['items'] = {
  cancelled: 'Annullato',
  failed: 'Non riuscito',
  preparing: 'Preparazione foto, {{done}} di {{total}}',
  toBeLookedAt: 'Pronto da guardare',
  drafting: 'Creazione della bozza',
  uploading: {
    one: 'Caricamento, {{done}} di {{count}} foto',
    other: 'Caricamento, {{done}} di {{count}} foto',
  },
  inLine: 'In coda per la scrittura',
  inLineAt: 'In coda per la scrittura, posto {{place}}',
  writing: 'Scrittura in corso',
  writingLong: 'Scrittura in corso, più lunga del solito',
  toReview: 'Pronto da controllare',
  live: 'Online',
  ended: 'Terminato',
  waiting: '{{state}}, in attesa del servizio',
  added: '{{items}} con {{photos}}.',
  addedSome: '{{items}} con {{photos}}; senza considerare {{others}}.',
  addedByGuess: '{{added}} Alcune foto sono state raggruppate per ipotesi: conviene guardarle prima di andare avanti.',
  addedWithoutLinks: '{{added}} {{left}}',
  linksOutside: {
    one: '{{count}} file è stato escluso perché è un collegamento che porta fuori dalla cartella: {{names}}.',
    other: '{{count}} file sono stati esclusi perché sono collegamenti che portano fuori dalla cartella: {{names}}.',
  },
  andMore: '{{names}} e altri {{others}}',
  items: { one: '{{count}} oggetto', other: '{{count}} oggetti' },
  photos: { one: '{{count}} foto', other: '{{count}} foto' },
  otherFiles: { one: '{{count}} altro file', other: '{{count}} altri file' },
};
