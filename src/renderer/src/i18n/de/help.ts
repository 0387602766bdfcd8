import type { Words } from '../words.ts';

export const help: Words['help'] = {
  title: 'Hilfe',
  guide: 'So geht es',
  photosTitle: 'Vom Foto zum Angebot',
  photos:
    'Ziehen Sie einen Ordner mit Fotos in das Fenster; jeder Ordner wird ein Artikel. Die Fotos werden auf diesem Computer gedreht, verkleinert und von Orts- und Kameradaten befreit, dann gesendet. Daraus schreibt der Dienst Titel, Beschreibung, Kategorie und Preis. Ihre eigenen Dateien werden nie verändert.',
  reviewTitle: 'Ihr Blick darauf',
  review:
    'Ein geschriebener Artikel wartet unter „Artikel“. Lesen Sie ihn durch und ändern Sie, was nicht stimmt; was der Marktplatz noch braucht, steht beim Feld. Online ist noch nichts.',
  yesTitle: 'Ein Ja',
  yes: 'Beim Veröffentlichen zeigt ein Blatt das Foto, den Preis und die Gebühr des Marktplatzes. Erst nach Ihrem Ja dort geht das Angebot online. Wird es verkauft, sagt es eine Mitteilung.',
  neverTitle: 'Was ohne Ihr Ja nie geschieht',
  never:
    'Veröffentlichen, ein laufendes Angebot ändern oder beenden, löschen, einen Text neu schreiben lassen, Extras einschalten oder zurücklegen, eine Bezahlseite öffnen, Richtlinien und Verkäufervorgaben ändern, die Verbindung trennen und dem Dienst eine Nachricht schicken. Jedes davon fragt mit einem eigenen Blatt, und antworten können nur Sie.',
  assistantsTitle: 'Assistenten',
  assistants:
    'KI-Assistenten auf diesem Computer können über den Companion arbeiten, sobald Sie sie hereinlassen. Sie können Fotos hinzufügen, Angebote schreiben lassen, Entwürfe bearbeiten und um alles Weitere bitten. Sie können nicht Ja sagen, den Schlüssel nicht sehen, keine Bezahlseite öffnen und Ihre Grenzen nicht überschreiten. Was sie tun, steht unter „Assistenten“.',
  keyTitle: 'Ihr Schlüssel und der Übungsdienst',
  key: 'Der Schlüssel zu Ihrem Konto liegt im Schlüsselbund dieses Computers und sonst nirgends; kein Assistent und kein Protokoll bekommt ihn. Der Übungsdienst läuft nur auf diesem Computer: kein Konto, kein Geld, nichts verlässt ihn. Probieren Sie dort alles zuerst aus.',
  tour: 'Rundgang zeigen',
  keys: 'Tasten',
  trouble: 'Wenn etwas nicht geht',
  offline: 'Keine Verbindung',
  offlineText: 'Eine Zeile oben sagt es, und was trotzdem geht. Sie verschwindet von selbst; nichts geht verloren.',
  stopped: 'Ein Artikel steht still',
  stoppedText: 'Öffnen Sie ihn: Er sagt, warum, und bietet den nächsten Schritt an.',
  reconnect: 'Der Dienst kennt den Companion nicht mehr',
  reconnectText: 'Verbinden Sie ihn neu unter <account>Konto</account>. Artikel und Angebote bleiben erhalten.',
  diagnostics: 'Jemand hilft Ihnen',
  diagnosticsText:
    'Protokolle und eine Diagnosedatei gibt es in den <settings>Einstellungen</settings>. Lesen Sie die Datei, bevor Sie sie verschicken.',
  contact: 'Dem Dienst schreiben',
  contactText: 'Ihre Nachricht geht an die Menschen beim Dienst. Vor dem Senden sehen Sie sie noch einmal.',
  reply: 'Antwort an',
  replyWrong: 'Für die Antwort wird eine E-Mail-Adresse gebraucht.',
  message: 'Nachricht',
  messageWrong: 'Was möchten Sie sagen?',
  send: 'Senden…',
  waits: 'Sie wartet auf Ihr Ja.',
  notSent: 'Sie wurde nicht gesendet. Was Sie geschrieben haben, ist noch da.',
  sent: 'Gesendet. Die Antwort kommt per E-Mail an {{email}}.',
  notConnected: 'Verbinden Sie zuerst Ihr Konto; dann kann von hier aus geschrieben werden.',
};
