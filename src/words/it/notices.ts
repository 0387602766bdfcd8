import type { Words } from '../saying.ts';

export const notices: Words['notices'] = {
  written: 'Pronta da controllare',
  manyWritten: {
    one: '{{count}} inserzione da controllare',
    other: '{{count}} inserzioni da controllare',
  },
  writtenText: 'Senza approvazione non viene pubblicato nulla.',
  sold: 'Venduto',
  manySold: { one: '{{count}} inserzione venduta', other: '{{count}} inserzioni vendute' },
  soldText: 'Aprire per vedere che cosa fare adesso.',
  untitled: 'Un’inserzione',
  asks: '{{name}} chiede: {{act}}',
  plain: '{{text}}',
  joined: '{{before}} · {{next}}',
  connectionEnded: 'Il collegamento con l’account è terminato',
  connectAgain: 'Ricollegarlo per continuare; tutto resta com’è.',
  offline: 'Il servizio non è raggiungibile. Companion continua a riprovare; nulla va perso.',
  folderGone:
    'La cartella monitorata “{{name}}” non c’è. Rimetterla al suo posto o sceglierne un’altra nelle Impostazioni.',
  folderElsewhere:
    'La cartella monitorata “{{name}}” ora porta altrove, perciò non ne viene preso nulla. Se è giusto così, sceglierla di nuovo nelle Impostazioni.',
  keychainMissing: 'Companion è stato installato senza accesso al portachiavi di sistema. {{then}}',
  libsecretMissing:
    'Il portachiavi di sistema non è raggiungibile, perché la libreria libsecret non è installata. {{then}}',
  keychainUnused: '{{why}} {{then}}',
  thisRunOnly: 'La chiave resta solo fino alla chiusura; al prossimo avvio occorrerà ricollegarsi.',
  quoted: '“{{text}}”',
  fact: '{{label}}: {{value}}',
  differs: 'Ciò che è online differisce dal sì dato',
  differsText: '«{{title}}»: guardare le differenze. La si può terminare ora.',
};
