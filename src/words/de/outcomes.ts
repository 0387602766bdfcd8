import type { Words } from '../saying.ts';

export const outcomes: Words['outcomes'] = {
  done: 'Erledigt.',
  published: 'Veröffentlicht. Das Angebot ist live.',
  ended: 'Das Angebot ist beendet.',
  deleted: 'Das Angebot ist gelöscht.',
  revised: 'Das laufende Angebot ist geändert.',
  writing: 'Das Angebot wird neu geschrieben.',
  checkout: 'Die Bezahlseite ist bereit zum Öffnen. Nichts wird berechnet, bevor Sie dort bezahlen.',
  billing: 'Ihre Abrechnungsseiten sind bereit zum Öffnen.',
  aside: 'Die Extras sind für 24 Stunden zurückgelegt. Ein Beleg kommt per E-Mail.',
  policies: 'Die Anfangsrichtlinien sind angelegt.',
  defaults: 'Die Vorgaben sind gespeichert.',
};
