import type { Words } from '../words.ts';

export const connect: Words['connect'] = {
  title: 'Mein Konto verbinden',
  connect: 'Verbinden',
  back: 'Zurück',
  lead: 'Ziehen Sie Ordner mit Fotos herein. Jeder wird ein fertig geschriebenes Angebot. Sie sehen es durch, und vor Ihrem Ja wird nichts veröffentlicht oder bezahlt.',
  lookAround: 'Erst einmal umsehen',
  lookAroundText: 'Ein Übungsdienst läuft auf diesem Computer. Kein Konto, kein Geld, nichts verlässt ihn.',
  practice: 'Mit Übungsdaten ausprobieren',
  forReal: 'Wirklich verkaufen',
  forRealText: 'Mit der E-Mail-Adresse Ihres Kontos beim Dienst; wenn es keines gibt, wird ein kostenloses angelegt.',
  email: 'E-Mail',
  emailHelp: 'Die Adresse Ihres Kontos. Gibt es noch keines, wird ein kostenloses dafür angelegt.',
  emailNext:
    'Ein 6-stelliger Code wird dorthin geschickt. Bedingungen und Datenschutzerklärung können Sie lesen, bevor Sie den Code eingeben.',
  sendCode: 'Code per E-Mail schicken',
  code: '6-stelliger Code',
  codeHelp: 'Er gilt 10 Minuten und einmal.',
  newCode: 'Neuen Code schicken',
  otherAddress: 'Andere Adresse verwenden',
  terms:
    'An <email/> wurde ein Code geschickt. Mit dem Verbinden stimmen Sie den <terms>Bedingungen</terms> und der <privacy>Datenschutzerklärung</privacy> des Dienstes zu. Gibt es für diese Adresse noch kein Konto, wird ein kostenloses angelegt.',
  tour: {
    name: 'Rundgang',
    at: 'Schritt {{at}} von {{of}}',
    dropTitle: 'Fotos hereinziehen',
    drop: 'Ziehen Sie einen Ordner mit Fotos irgendwo in dieses Fenster. Jeder Ordner wird ein Artikel, und aus seinen Fotos wird ein Angebot geschrieben.',
    lookTitle: 'Durchsehen',
    look: 'Ein geschriebener Artikel wartet unter „Artikel“ auf Ihren Blick. Ändern Sie, was nicht stimmt; online ist noch nichts.',
    yesTitle: 'Ein Ja',
    yes: 'Bevor etwas veröffentlicht oder bezahlt wird, zeigt ein Blatt, was es ist und was es kostet. Erst Ihr Ja dort sendet es ab.',
    back: 'Zurück',
    next: 'Weiter',
    done: 'Fertig',
    skip: 'Rundgang überspringen',
  },
};
