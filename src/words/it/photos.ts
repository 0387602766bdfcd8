import type { Words } from '../saying.ts';

export const refusals: Words['refusals'] = {
  EMPTY_FILE: 'Questo file è vuoto. Copiarlo di nuovo dal telefono o dalla fotocamera.',
  NOT_A_PHOTO: 'Questo file non è una foto. Lasciarlo fuori o aggiungere la foto da cui è stato ricavato.',
  TRUNCATED:
    'Manca la fine di questa foto, perciò una parte non si vede. Copiarla di nuovo dal telefono o dalla fotocamera.',
  DAMAGED: 'Questa foto è danneggiata e alcune parti non si vedono. Copiarla di nuovo o scattarne un’altra.',
  TOO_LARGE:
    'Questa foto ha troppi pixel per essere preparata qui. Salvarne una copia più piccola e aggiungere quella.',
  FILE_TOO_LARGE:
    'Questo file è troppo grande per essere preparato qui. Salvarne una copia più piccola e aggiungere quella.',
  TOO_SMALL: 'Questa immagine è troppo piccola per un’inserzione. Usare la foto originale, non l’anteprima.',
  EXTREME_SHAPE:
    'Questa immagine è troppo lunga e stretta per un’inserzione. Ritagliare la parte che mostra l’oggetto.',
  ANIMATED:
    'Questa immagine è animata. Gli acquirenti vedono una foto fissa: salvare un fotogramma come JPEG o PNG e aggiungere quello.',
  SVG: 'Questo è un disegno (SVG), non una foto. Salvarlo come JPEG o PNG e aggiungere quel file.',
  PDF: 'Questo è un PDF, non una foto. Salvare la pagina come JPEG o PNG e aggiungere quel file.',
  VIDEO: 'Questo è un video, non una foto. Salvarne un fotogramma e aggiungere quello.',
  CAMERA_RAW:
    'Questo è un file raw della fotocamera. Salvarlo come JPEG con il programma della fotocamera e aggiungere quel file.',
  OTHER_PICTURE: 'Questo tipo di immagine non può essere letto qui. Salvarla come JPEG o PNG e aggiungere quel file.',
  HEIC_UNREADABLE:
    'Questa foto in formato iPhone (HEIC) non può essere letta qui. Salvarla come JPEG e aggiungere quel file.',
  MISSING_FILE: 'Questa foto non è più dov’era. Rimetterla al suo posto o aggiungerla di nuovo da quello nuovo.',
  OUTSIDE_FOLDER:
    'Qui un collegamento porta ora fuori dalla cartella aggiunta. Metterci la foto stessa o aggiungerla dal posto in cui si trova.',
  UNREADABLE_FILE:
    'Questa foto non si apre. Verificare che la lettura sia consentita e che il disco sia collegato, poi riprovare.',
  NO_SPACE: 'Il disco è pieno, perciò questa foto non è stata preparata. Liberare spazio, poi riprovare.',
  CANNOT_WRITE:
    'La foto preparata non è stata salvata. Verificare che si possa scrivere nella cartella di Companion, poi riprovare.',
  WORKER_DIED: 'La preparazione di questa foto è fallita due volte. Salvarne una copia come JPEG e aggiungere quella.',
};

export const aside: Words['aside'] = {
  person: 'Questa foto è stata messa da parte a mano.',
  duplicate: 'Questa foto sembra uguale a “{{name}}”, perciò resta qui.',
  over_cap: 'Il piano prevede {{most}} foto per inserzione. Questa resta qui.',
};

export const changes: Words['changes'] = {
  Merge: 'Unione',
  Split: 'Divisione',
  'Move photos': 'Spostamento foto',
  Order: 'Ordine',
  'Remove photo': 'Rimozione foto',
  'Remove photos': 'Rimozione foto',
  'Put back': 'Ripristino',
  'Set aside': 'Messa da parte',
  'Take in': 'Inclusione',
  'Split at barcodes and sheets': 'Divisione a codici a barre e fogli',
  'Edit photo': 'Modifica della foto',
};
