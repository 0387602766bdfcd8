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
};
