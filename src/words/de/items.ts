import type { Words } from '../saying.ts';

export const items: Words['items'] = {
  cancelled: 'Abgebrochen',
  failed: 'Fehlgeschlagen',
  preparing: 'Fotos werden vorbereitet, {{done}} von {{total}}',
  toBeLookedAt: 'Bereit zum Ansehen',
  drafting: 'Entwurf wird angelegt',
  uploading: {
    one: 'Wird hochgeladen, {{done}} von {{count}} Foto',
    other: 'Wird hochgeladen, {{done}} von {{count}} Fotos',
  },
  inLine: 'Wartet darauf, geschrieben zu werden',
  inLineAt: 'Wartet darauf, geschrieben zu werden, Platz {{place}}',
  writing: 'Wird geschrieben',
  writingLong: 'Wird geschrieben, länger als üblich',
  toReview: 'Bereit zum Prüfen',
  live: 'Live',
  ended: 'Beendet',
  waiting: '{{state}}, wartet auf den Dienst',
  added: '{{items}} mit {{photos}}.',
  addedSome: '{{items}} mit {{photos}}; {{others}} übergangen.',
  addedByGuess: '{{added}} Einige Fotos wurden vermutungsweise zusammengelegt: Sehen Sie sie an, bevor es weitergeht.',
  addedWithoutLinks: '{{added}} {{left}}',
  linksOutside: {
    one: '{{count}} Datei wurde weggelassen, weil sie eine Verknüpfung ist, die aus dem Ordner hinausführt: {{names}}.',
    other:
      '{{count}} Dateien wurden weggelassen, weil sie Verknüpfungen sind, die aus dem Ordner hinausführen: {{names}}.',
  },
  andMore: '{{names}} und {{others}} weitere',
  items: { one: '{{count}} Artikel', other: '{{count}} Artikel' },
  photos: { one: '{{count}} Foto', other: '{{count}} Fotos' },
  otherFiles: { one: '{{count}} andere Datei', other: '{{count}} andere Dateien' },
};
