import type { Words } from '../saying.ts';

export const refusals: Words['refusals'] = {
  EMPTY_FILE: 'Diese Datei ist leer. Kopieren Sie sie noch einmal vom Telefon oder von der Kamera.',
  NOT_A_PHOTO: 'Diese Datei ist kein Foto. Lassen Sie sie weg, oder nehmen Sie das Foto, aus dem sie entstand.',
  TRUNCATED:
    'Das Ende dieses Fotos fehlt, ein Teil ist deshalb nicht zu sehen. Kopieren Sie es noch einmal vom Telefon oder von der Kamera.',
  DAMAGED:
    'Dieses Foto ist beschädigt, Teile davon sind nicht zu sehen. Kopieren Sie es noch einmal oder machen Sie ein neues.',
  TOO_LARGE:
    'Dieses Foto hat zu viele Pixel, um hier vorbereitet zu werden. Speichern Sie eine kleinere Kopie und nehmen Sie diese.',
  FILE_TOO_LARGE:
    'Diese Datei ist zu groß, um hier vorbereitet zu werden. Speichern Sie eine kleinere Kopie und nehmen Sie diese.',
  TOO_SMALL: 'Dieses Bild ist zu klein für ein Angebot. Nehmen Sie das Originalfoto, nicht seine Vorschau.',
  EXTREME_SHAPE:
    'Dieses Bild ist viel zu lang und schmal für ein Angebot. Schneiden Sie den Teil aus, der den Artikel zeigt.',
  ANIMATED:
    'Dieses Bild bewegt sich. Käufer sehen ein stehendes Foto: Speichern Sie ein Einzelbild als JPEG oder PNG und nehmen Sie dieses.',
  SVG: 'Das ist eine Zeichnung (SVG), kein Foto. Speichern Sie sie als JPEG oder PNG und nehmen Sie diese Datei.',
  PDF: 'Das ist ein PDF, kein Foto. Speichern Sie die Seite als JPEG oder PNG und nehmen Sie diese Datei.',
  VIDEO: 'Das ist ein Video, kein Foto. Speichern Sie ein Standbild daraus und nehmen Sie dieses.',
  CAMERA_RAW:
    'Das ist eine Rohdatei der Kamera. Speichern Sie sie mit dem Programm der Kamera als JPEG und nehmen Sie diese Datei.',
  OTHER_PICTURE:
    'Diese Art von Bilddatei kann hier nicht gelesen werden. Speichern Sie sie als JPEG oder PNG und nehmen Sie diese Datei.',
  HEIC_UNREADABLE:
    'Dieses Foto im iPhone-Format (HEIC) kann hier nicht gelesen werden. Speichern Sie es als JPEG und nehmen Sie diese Datei.',
  MISSING_FILE:
    'Dieses Foto ist nicht mehr da, wo es war. Legen Sie es zurück, oder nehmen Sie es vom neuen Ort noch einmal auf.',
  OUTSIDE_FOLDER:
    'Hier führt jetzt eine Verknüpfung aus dem hinzugefügten Ordner hinaus. Legen Sie das Foto selbst hierhin, oder fügen Sie es von seinem eigenen Ort aus hinzu.',
  UNREADABLE_FILE:
    'Dieses Foto lässt sich nicht öffnen. Prüfen Sie, ob Sie es lesen dürfen und sein Laufwerk verbunden ist, und versuchen Sie es dann noch einmal.',
  NO_SPACE:
    'Der Datenträger ist voll, deshalb konnte dieses Foto nicht vorbereitet werden. Schaffen Sie Platz und versuchen Sie es dann noch einmal.',
  CANNOT_WRITE:
    'Das vorbereitete Foto konnte nicht gespeichert werden. Prüfen Sie, ob in den Ordner des Companions geschrieben werden darf, und versuchen Sie es dann noch einmal.',
  WORKER_DIED:
    'Dieses Foto ließ sich zweimal nicht vorbereiten. Speichern Sie eine Kopie als JPEG und nehmen Sie diese.',
};

export const aside: Words['aside'] = {
  person: 'Sie haben dieses Foto beiseitegelegt.',
  duplicate: 'Dieses Foto sieht aus wie „{{name}}“ und bleibt deshalb hier.',
  over_cap: 'Ihr Tarif nimmt {{most}} Fotos je Angebot. Dieses bleibt hier.',
};

export const changes: Words['changes'] = {
  Merge: 'Verbinden',
  Split: 'Teilen',
  'Move photos': 'Fotos verschieben',
  Order: 'Reihenfolge',
  'Remove photo': 'Foto herausnehmen',
  'Remove photos': 'Fotos herausnehmen',
  'Put back': 'Zurücklegen',
  'Set aside': 'Beiseitelegen',
  'Take in': 'Verwenden',
  'Split at barcodes and sheets': 'An Strichcodes und Zetteln teilen',
  'Edit photo': 'Foto bearbeiten',
};
