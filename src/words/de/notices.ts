import type { Words } from '../saying.ts';

export const notices: Words['notices'] = {
  written: 'Bereit zum Prüfen',
  manyWritten: {
    one: '{{count}} Angebot ist bereit zum Prüfen',
    other: '{{count}} Angebote sind bereit zum Prüfen',
  },
  writtenText: 'Bevor Sie Ja sagen, wird nichts veröffentlicht.',
  sold: 'Verkauft',
  manySold: { one: '{{count}} Angebot ist verkauft', other: '{{count}} Angebote sind verkauft' },
  soldText: 'Öffnen Sie es, um zu sehen, was als Nächstes zu tun ist.',
  untitled: 'Ein Angebot',
  asks: '{{name}} fragt: {{act}}',
  plain: '{{text}}',
  joined: '{{before}} · {{next}}',
  connectionEnded: 'Die Verbindung zu Ihrem Konto ist beendet',
  connectAgain: 'Verbinden Sie es neu, um weiterzumachen; alles bleibt, wie es ist.',
  offline: 'Der Dienst ist nicht zu erreichen. Der Companion versucht es weiter; es geht nichts verloren.',
  folderGone:
    'Der beobachtete Ordner „{{name}}“ ist nicht da. Stellen Sie ihn wieder her, oder wählen Sie in den Einstellungen einen anderen.',
  folderElsewhere:
    'Der beobachtete Ordner „{{name}}“ führt jetzt an einen anderen Ort, deshalb wird nichts daraus übernommen. Wählen Sie ihn in den Einstellungen noch einmal, wenn das richtig ist.',
  keychainMissing: 'Der Companion wurde ohne Zugriff auf den Schlüsselbund des Systems installiert. {{then}}',
  libsecretMissing:
    'Der Schlüsselbund des Systems ist nicht erreichbar, weil die Bibliothek libsecret nicht installiert ist. {{then}}',
  keychainUnused: '{{why}} {{then}}',
  thisRunOnly:
    'Ihr Schlüssel bleibt nur für diesen Lauf erhalten; nach dem nächsten Start müssen Sie sich neu verbinden.',
  quoted: '„{{text}}“',
  fact: '{{label}}: {{value}}',
  differs: 'Was online ist, weicht von Ihrem Ja ab',
  differsText: '„{{title}}“: Sehen Sie sich die Unterschiede an. Sie können es jetzt beenden.',
};
