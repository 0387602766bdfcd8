import type { Words } from '../saying.ts';

export const items: Words['items'] = {
  cancelled: 'Geannuleerd',
  failed: 'Mislukt',
  preparing: 'Foto’s voorbereiden, {{done}} van {{total}}',
  toBeLookedAt: 'Klaar om te bekijken',
  drafting: 'Concept wordt aangemaakt',
  uploading: {
    one: 'Uploaden, {{done}} van {{count}} foto',
    other: 'Uploaden, {{done}} van {{count}} foto’s',
  },
  inLine: 'Wacht om geschreven te worden',
  inLineAt: 'Wacht om geschreven te worden, plaats {{place}}',
  writing: 'Wordt geschreven',
  writingLong: 'Wordt geschreven, langer dan normaal',
  toReview: 'Klaar voor controle',
  live: 'Online',
  ended: 'Beëindigd',
  waiting: '{{state}}, wacht op de dienst',
  added: '{{items}} met {{photos}}.',
  addedSome: '{{items}} met {{photos}}; {{others}} overgeslagen.',
  addedByGuess: '{{added}} Sommige foto’s zijn naar schatting gegroepeerd: bekijk ze voordat ze verdergaan.',
  addedWithoutLinks: '{{added}} {{left}}',
  linksOutside: {
    one: '{{count}} bestand is weggelaten omdat het een koppeling is die buiten de map leidt: {{names}}.',
    other: '{{count}} bestanden zijn weggelaten omdat het koppelingen zijn die buiten de map leiden: {{names}}.',
  },
  andMore: '{{names}} en nog {{others}}',
  items: { one: '{{count}} artikel', other: '{{count}} artikelen' },
  photos: { one: '{{count}} foto', other: '{{count}} foto’s' },
  otherFiles: { one: '{{count}} ander bestand', other: '{{count}} andere bestanden' },
};
