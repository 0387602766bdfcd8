import type { Words } from '../words.ts';

export const connect: Words['connect'] = {
  title: 'Collega il mio account',
  connect: 'Collega',
  back: 'Indietro',
  lead: 'Basta trascinare cartelle di foto. Ognuna diventa un’inserzione già scritta, da controllare; senza approvazione nulla viene pubblicato o pagato.',
  lookAround: 'Dare prima un’occhiata',
  lookAroundText: 'Un servizio demo gira su questo computer. Nessun account, niente denaro, nulla esce da qui.',
  practice: 'Prova con dati demo',
  forReal: 'Vendere davvero',
  forRealText: 'Con l’indirizzo e-mail dell’account presso il servizio; se non c’è, ne viene creato uno gratuito.',
  email: 'E-mail',
  emailHelp: 'L’indirizzo dell’account. Se non esiste ancora, ne viene creato uno gratuito.',
  emailNext:
    'All’indirizzo viene inviato un codice di 6 cifre. Condizioni e informativa sulla privacy si possono leggere prima di inserire il codice.',
  sendCode: 'Invia il codice per e-mail',
  code: 'Codice di 6 cifre',
  codeHelp: 'Vale 10 minuti e una volta sola.',
  newCode: 'Invia un nuovo codice',
  otherAddress: 'Usa un altro indirizzo',
  terms:
    'Un codice è stato inviato a <email/>. Collegandosi si accettano le <terms>condizioni</terms> e l’<privacy>informativa sulla privacy</privacy> del servizio. Se per questo indirizzo non esiste ancora un account, ne viene creato uno gratuito.',
  tour: {
    name: 'Tour',
    at: 'Passo {{at}} di {{of}}',
    dropTitle: 'Trascinare le foto',
    drop: 'Trascinare una cartella di foto in un punto qualsiasi di questa finestra. Ogni cartella diventa un oggetto e dalle sue foto viene scritta un’inserzione.',
    lookTitle: 'Controllare',
    look: 'Un oggetto già scritto attende in “Oggetti” di essere controllato. Si corregge ciò che non va; nulla è ancora online.',
    yesTitle: 'Un solo sì',
    yes: 'Prima che qualcosa venga pubblicato o pagato, una scheda mostra che cos’è e quanto costa. Solo il sì dato lì lo invia.',
    back: 'Indietro',
    next: 'Avanti',
    done: 'Fine',
    skip: 'Salta il tour',
  },
};
