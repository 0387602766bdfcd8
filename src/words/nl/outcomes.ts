import type { Words } from '../saying.ts';

export const outcomes: Words['outcomes'] = {
  done: 'Klaar.',
  published: 'Gepubliceerd. De aanbieding is online.',
  ended: 'De aanbieding is beëindigd.',
  deleted: 'De aanbieding is verwijderd.',
  revised: 'De online aanbieding is gewijzigd.',
  writing: 'De aanbieding wordt opnieuw geschreven.',
  checkout: 'U kunt de betaalpagina nu openen. Er wordt niets in rekening gebracht tot u daar betaalt.',
  billing: 'U kunt uw facturatiepagina’s nu openen.',
  aside: 'De extra’s zijn 24 uur gereserveerd. U krijgt een bevestiging per e-mail.',
  policies: 'Het basisbeleid is aangemaakt.',
  defaults: 'De standaardwaarden zijn opgeslagen.',
};
