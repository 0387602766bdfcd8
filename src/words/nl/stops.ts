import type { Words } from '../saying.ts';

export const stops: Words['stops'] = {
  CANCELLED: 'U hebt het hier gestopt. Er is niets gepubliceerd.',
  'CANCELLED.writing':
    'U wacht er niet meer op. Misschien schrijft de dienst de tekst nog af; er wordt niets gepubliceerd.',
  DELETED: 'De aanbieding is verwijderd. De foto’s staan nog hier.',
  NO_PHOTOS:
    'Geen van de foto’s is bruikbaar. Lees wat er bij elke foto staat en sleep betere hierheen als nieuw artikel.',
  DRAFT_UNKNOWN:
    'Het concept is meer dan een dag geleden aangevraagd en het antwoord is nooit gekomen. Zoek het in uw aanbiedingen voordat u deze foto’s opnieuw hierheen sleept.',
  ALLOWANCE_USED:
    'De aanbiedingen van deze maand zijn op. Er is niets geschreven. Probeer het opnieuw in de volgende periode of met een groter abonnement.',
  WOULD_BE_EXTRA:
    'De volgende aanbieding zou een betaalde extra zijn, en daarvoor is eerst uw akkoord nodig. Reserveer er een paar bij Account en probeer het opnieuw. Er is niets geschreven.',
  USAGE_LIMIT: 'De aanbiedingen van deze maand zijn op, dus deze is niet geschreven.',
  IMAGES_UNREADABLE: 'De dienst kon de foto’s niet lezen. Sleep scherpere foto’s hierheen als nieuw artikel.',
  WRITING_FAILED: 'Het schrijven is mislukt bij de dienst.',
  ASKED_AGAIN: 'Opnieuw schrijven kost nog een aanbieding en wacht daarom op uw akkoord.',
};
