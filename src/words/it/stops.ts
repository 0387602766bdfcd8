import type { Words } from '../saying.ts';

export const stops: Words['stops'] = {
  CANCELLED: 'Fermato qui. Nulla è stato pubblicato.',
  'CANCELLED.writing':
    'L’attesa è stata interrotta. Il servizio potrebbe ancora completare la scrittura; nulla viene pubblicato.',
  DELETED: 'L’inserzione è stata eliminata. Le foto sono ancora qui.',
  NO_PHOTOS:
    'Nessuna delle foto è utilizzabile. Leggere che cosa è indicato per ciascuna, poi trascinarne di migliori come nuovo oggetto.',
  DRAFT_UNKNOWN:
    'La bozza è stata chiesta più di un giorno fa e la risposta non è mai arrivata. Cercarla tra le inserzioni prima di trascinare di nuovo queste foto.',
  ALLOWANCE_USED:
    'Le inserzioni di questo mese sono esaurite. Nulla è stato scritto. Riprovare dopo il rinnovo mensile o con un piano più grande.',
  WOULD_BE_EXTRA:
    'La prossima inserzione sarebbe un extra a pagamento e va prima approvata. Riservarne alcuni in “Account”, poi riprovare. Nulla è stato scritto.',
  USAGE_LIMIT: 'Le inserzioni di questo mese sono esaurite, perciò questa non è stata scritta.',
  IMAGES_UNREADABLE: 'Il servizio non è riuscito a leggere le foto. Trascinarne di più nitide come nuovo oggetto.',
  WRITING_FAILED: 'La scrittura presso il servizio non è riuscita.',
  ASKED_AGAIN: 'Riscriverla consuma un’altra inserzione, perciò attende l’approvazione.',
};
