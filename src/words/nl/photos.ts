import type { Words } from '../saying.ts';

export const refusals: Words['refusals'] = {
  EMPTY_FILE: 'Dit bestand is leeg. Kopieer het opnieuw van de telefoon of camera.',
  NOT_A_PHOTO: 'Dit bestand is geen foto. Laat het weg of voeg de foto toe waaruit het is gemaakt.',
  TRUNCATED:
    'Het einde van deze foto ontbreekt, dus een deel is niet te zien. Kopieer de foto opnieuw van de telefoon of camera.',
  DAMAGED: 'Deze foto is beschadigd en delen ervan zijn niet te zien. Kopieer de foto opnieuw of maak een nieuwe.',
  TOO_LARGE: 'Deze foto heeft te veel pixels om hier te worden voorbereid. Sla een kleinere kopie op en voeg die toe.',
  FILE_TOO_LARGE: 'Dit bestand is te groot om hier te worden voorbereid. Sla een kleinere kopie op en voeg die toe.',
  TOO_SMALL: 'Deze afbeelding is te klein voor een aanbieding. Gebruik de originele foto, niet een voorvertoning.',
  EXTREME_SHAPE:
    'Deze afbeelding is veel te lang en smal voor een aanbieding. Knip het deel uit waarop het artikel te zien is.',
  ANIMATED:
    'Deze afbeelding beweegt. Kopers zien een stilstaande foto: sla één beeld op als JPEG of PNG en voeg dat toe.',
  SVG: 'Dit is een tekening (SVG), geen foto. Sla deze op als JPEG of PNG en voeg dat bestand toe.',
  PDF: 'Dit is een pdf, geen foto. Sla de pagina op als JPEG of PNG en voeg dat bestand toe.',
  VIDEO: 'Dit is een video, geen foto. Sla er een stilstaand beeld uit op en voeg dat toe.',
  CAMERA_RAW:
    'Dit is een RAW-bestand van een camera. Sla het met de software van de camera op als JPEG en voeg dat bestand toe.',
  OTHER_PICTURE:
    'Dit soort afbeelding kan hier niet worden gelezen. Sla deze op als JPEG of PNG en voeg dat bestand toe.',
  HEIC_UNREADABLE:
    'Deze foto in iPhone-formaat (HEIC) kan hier niet worden gelezen. Sla de foto op als JPEG en voeg dat bestand toe.',
  MISSING_FILE:
    'Deze foto staat niet meer op de oude plek. Zet de foto terug of voeg deze vanaf de nieuwe plek opnieuw toe.',
  OUTSIDE_FOLDER:
    'Een koppeling leidt hier nu buiten de toegevoegde map. Zet de foto zelf hier neer of voeg die toe vanaf de eigen plaats.',
  UNREADABLE_FILE:
    'Deze foto kan niet worden geopend. Controleer of u de foto mag lezen en of de schijf is aangesloten, en probeer het opnieuw.',
  NO_SPACE: 'De schijf is vol, dus deze foto kon niet worden voorbereid. Maak ruimte vrij en probeer het opnieuw.',
  CANNOT_WRITE:
    'De voorbereide foto kon niet worden opgeslagen. Controleer of er in de map van de Companion mag worden geschreven en probeer het opnieuw.',
  WORKER_DIED: 'Het voorbereiden van deze foto is twee keer mislukt. Sla een kopie op als JPEG en voeg die toe.',
};

export const aside: Words['aside'] = {
  person: 'Deze foto hebt u opzijgelegd.',
  duplicate: 'Deze foto lijkt dezelfde als “{{name}}” en blijft daarom hier.',
  over_cap: 'Uw abonnement staat {{most}} foto’s per aanbieding toe. Deze blijft hier.',
};

export const changes: Words['changes'] = {
  Merge: 'Samenvoegen',
  Split: 'Splitsen',
  'Move photos': 'Foto’s verplaatsen',
  Order: 'Volgorde',
  'Remove photo': 'Foto weghalen',
  'Remove photos': 'Foto’s weghalen',
  'Put back': 'Terugzetten',
  'Set aside': 'Opzijleggen',
  'Take in': 'Gebruiken',
  'Split at barcodes and sheets': 'Splitsen bij barcodes en vellen',
  'Edit photo': 'Foto bewerken',
};
