import type { Words } from '../words.ts';

export const problems: Words['problems'] = {
  INTAKE_FAILED: 'Ein Foto kam nicht ganz an. Ziehen Sie es noch einmal herein.',
  INTAKE_MISSING: 'Ein hereingezogenes Foto ist nicht mehr da. Ziehen Sie es noch einmal herein.',
  INVALID_CODE: 'Der Code stimmt nicht oder wurde schon benutzt. Sehen Sie in der neuesten E-Mail nach.',
  LAST_PHOTO:
    'Ein Artikel braucht mindestens ein Foto. Entfernen Sie den Artikel selbst oder fügen Sie erst andere hinzu.',
  LINK_REFUSED: 'Nur https-Adressen werden geöffnet.',
  NOTHING_TO_SPLIT: 'Das sind alle Fotos des Artikels. Wählen Sie einige davon.',
  NOTHING_TO_UNDO: 'Es gibt keine Änderung zurückzunehmen.',
  NOT_CONNECTED: 'Verbinden Sie erst Ihr Konto.',
  NOT_FOUND: 'Das ist nicht mehr da.',
  NOT_LOWER: 'Wählen Sie eine kleinere Zahl als die angefragte.',
  NOT_WHAT_WAS_SHOWN: 'Dieses Ja gilt nicht dem, was gezeigt wurde. Bitte sehen Sie noch einmal hin.',
  NO_PHOTOS_FOUND: 'Darin sind keine Fotos. Ziehen Sie einen Ordner mit Fotos oder die Fotos selbst herein.',
  OFFER_OVER: 'Diese Seite wird nicht mehr angeboten. Bitten Sie den Assistenten, es noch einmal zu versuchen.',
  PAIRING_OVER: 'Diese Anfrage ist vorbei. Bitten Sie den Assistenten, es noch einmal zu versuchen.',
  RECONNECT_NEEDED: 'Der Dienst kennt diesen Companion nicht mehr. Verbinden Sie ihn neu.',
  SERVICE_UNREACHABLE: 'Der Dienst ist nicht zu erreichen. Es wurde nichts gesendet.',
  STANDING_UNKNOWN: 'Das Kontingent konnte nicht gelesen werden.',
  TOO_LATE: 'Das ist schon beim Dienst und hier nicht mehr zu ändern. Ändern Sie das Angebot selbst.',
  TOO_MANY_PAIRINGS: 'Zu viele Assistenten möchten zugelassen werden. Beantworten Sie erst diese.',
  TOO_MANY_WAITING: 'Andere Fragen warten schon. Beantworten Sie erst diese.',
};
