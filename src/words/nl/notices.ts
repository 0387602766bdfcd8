import type { Words } from '../saying.ts';

export const notices: Words['notices'] = {
  written: 'Klaar voor controle',
  manyWritten: {
    one: '{{count}} aanbieding is klaar voor controle',
    other: '{{count}} aanbiedingen zijn klaar voor controle',
  },
  writtenText: 'Zonder uw akkoord wordt er niets gepubliceerd.',
  sold: 'Verkocht',
  manySold: { one: '{{count}} aanbieding is verkocht', other: '{{count}} aanbiedingen zijn verkocht' },
  soldText: 'Open de aanbieding om te zien wat u nu kunt doen.',
  untitled: 'Een aanbieding',
  asks: '{{name}} vraagt: {{act}}',
  plain: '{{text}}',
  joined: '{{before}} · {{next}}',
  connectionEnded: 'De verbinding met uw account is verbroken',
  connectAgain: 'Maak opnieuw verbinding om verder te gaan; alles blijft zoals het is.',
  offline: 'De dienst is niet bereikbaar. De Companion blijft het proberen; er gaat niets verloren.',
  folderGone: 'De bewaakte map “{{name}}” is er niet meer. Zet de map terug of kies een andere in Instellingen.',
  folderElsewhere:
    'De bewaakte map “{{name}}” leidt nu naar een andere plek, dus er wordt niets uit overgenomen. Kies de map opnieuw in Instellingen als dat klopt.',
  keychainMissing: 'De Companion is geïnstalleerd zonder toegang tot de sleutelhanger van het systeem. {{then}}',
  libsecretMissing:
    'De sleutelhanger van het systeem is niet bereikbaar, omdat de bibliotheek libsecret niet is geïnstalleerd. {{then}}',
  keychainUnused: '{{why}} {{then}}',
  thisRunOnly: 'Uw sleutel wordt alleen bewaard tot u afsluit; bij de volgende start moet u opnieuw verbinding maken.',
  quoted: '“{{text}}”',
  fact: '{{label}}: {{value}}',
  differs: 'Wat online staat wijkt af van uw akkoord',
  differsText: '“{{title}}”: bekijk de verschillen. U kunt ze nu beëindigen.',
};
