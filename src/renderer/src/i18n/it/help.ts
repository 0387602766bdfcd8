import type { Words } from '../words.ts';

export const help: Words['help'] = {
  title: 'Aiuto',
  guide: 'Come funziona',
  photosTitle: 'Dalle foto all’inserzione',
  photos:
    'Trascinare una cartella di foto nella finestra; ogni cartella diventa un oggetto. Su questo computer le foto vengono ruotate, ridotte e ripulite dei dati su luogo e fotocamera, poi inviate. Il servizio ne ricava titolo, descrizione, categoria e prezzo. I file originali non vengono mai modificati.',
  reviewTitle: 'Il controllo',
  review:
    'Un oggetto già scritto attende in “Oggetti”. Si legge e si corregge ciò che non va; quello che il marketplace chiede ancora è indicato accanto al campo. Nulla è ancora online.',
  yesTitle: 'Un solo sì',
  yes: 'Al momento di pubblicare, una scheda mostra foto, prezzo e tariffa del marketplace. L’inserzione va online solo dopo il sì dato lì. Quando l’oggetto viene venduto, arriva una notifica.',
  neverTitle: 'Che cosa non succede mai senza un sì',
  never:
    'Pubblicare, modificare o terminare un’inserzione online, eliminare, riscrivere un testo, attivare o riservare extra, aprire una pagina di pagamento, cambiare regole e valori predefiniti di vendita, scollegare e inviare un messaggio al servizio. Ognuna di queste azioni chiede conferma con una scheda propria, e può rispondere solo Lei.',
  assistantsTitle: 'Assistenti',
  assistants:
    'Gli assistenti IA su questo computer possono lavorare tramite Companion una volta ammessi. Possono aggiungere foto, far scrivere inserzioni, modificare bozze e chiedere il resto. Non possono dare il sì, vedere la chiave, aprire una pagina di pagamento o superare i limiti impostati. Tutto ciò che fanno è elencato in “Assistenti”.',
  keyTitle: 'La chiave e il servizio demo',
  key: 'La chiave dell’account si trova nel portachiavi di questo computer e in nessun altro posto; nessun assistente e nessun log la riceve. Il servizio demo gira solo su questo computer: nessun account, niente denaro, nulla esce da qui. Conviene provare tutto prima lì.',
  tour: 'Mostra il tour',
  keys: 'Scorciatoie',
  trouble: 'Quando qualcosa non funziona',
  offline: 'Nessuna connessione',
  offlineText: 'Una riga in alto lo segnala e dice che cosa funziona comunque. Sparisce da sola; nulla va perso.',
  stopped: 'Un oggetto è fermo',
  stoppedText: 'Aprirlo: indica il motivo e propone il passo successivo.',
  reconnect: 'Il servizio non riconosce più Companion',
  reconnectText: 'Ricollegarsi in <account>Account</account>. Oggetti e inserzioni restano.',
  diagnostics: 'Farsi aiutare da qualcuno',
  diagnosticsText:
    'I log e un file di diagnostica si trovano nelle <settings>Impostazioni</settings>. Leggere il file prima di inviarlo.',
  contact: 'Scrivere al servizio',
  contactText: 'Il messaggio va alle persone del servizio. Prima dell’invio viene mostrato ancora una volta.',
  reply: 'Rispondere a',
  replyWrong: 'Per la risposta occorre un indirizzo e-mail.',
  message: 'Messaggio',
  messageWrong: 'Il messaggio è vuoto.',
  send: 'Invia…',
  waits: 'Attende l’approvazione.',
  notSent: 'Non è stato inviato. Il testo è ancora qui.',
  sent: 'Inviato. La risposta arriva per e-mail a {{email}}.',
  notConnected: 'Collegare prima l’account; poi si può inviare un messaggio da qui.',
};
