import type { Words } from '../saying.ts';

export const refusals: Words['refusals'] = {
  EMPTY_FILE: 'Ce fichier est vide. Copiez-le à nouveau depuis le téléphone ou l’appareil photo.',
  NOT_A_PHOTO: 'Ce fichier n’est pas une photo. Laissez-le de côté ou ajoutez la photo dont il est tiré.',
  TRUNCATED:
    'La fin de cette photo manque, une partie ne peut donc pas s’afficher. Copiez-la à nouveau depuis le téléphone ou l’appareil photo.',
  DAMAGED:
    'Cette photo est endommagée, certaines parties ne peuvent pas s’afficher. Copiez-la à nouveau ou prenez-en une autre.',
  TOO_LARGE: 'Cette photo a trop de pixels pour être préparée ici. Enregistrez-en une copie plus petite et ajoutez-la.',
  FILE_TOO_LARGE:
    'Ce fichier est trop lourd pour être préparé ici. Enregistrez-en une copie plus légère et ajoutez-la.',
  TOO_SMALL: 'Cette image est trop petite pour une annonce. Prenez la photo d’origine, pas son aperçu.',
  EXTREME_SHAPE:
    'Cette image est bien trop longue et étroite pour une annonce. Recadrez-la sur la partie qui montre l’objet.',
  ANIMATED:
    'Cette image est animée. Les acheteurs voient une photo fixe : enregistrez une image en JPEG ou PNG et ajoutez-la.',
  SVG: 'C’est un dessin (SVG), pas une photo. Enregistrez-le en JPEG ou PNG et ajoutez ce fichier.',
  PDF: 'C’est un PDF, pas une photo. Enregistrez la page en JPEG ou PNG et ajoutez ce fichier.',
  VIDEO: 'C’est une vidéo, pas une photo. Enregistrez-en une image fixe et ajoutez-la.',
  CAMERA_RAW:
    'C’est un fichier RAW. Enregistrez-le en JPEG avec le logiciel de l’appareil photo et ajoutez ce fichier.',
  OTHER_PICTURE: 'Ce type d’image ne peut pas être lu ici. Enregistrez-la en JPEG ou PNG et ajoutez ce fichier.',
  HEIC_UNREADABLE:
    'Cette photo au format iPhone (HEIC) ne peut pas être lue ici. Enregistrez-la en JPEG et ajoutez ce fichier.',
  MISSING_FILE:
    'Cette photo n’est plus à sa place. Remettez-la où elle était ou ajoutez-la depuis son nouvel emplacement.',
  OUTSIDE_FOLDER:
    'Un lien mène maintenant d’ici hors du dossier ajouté. Mettez-y la photo elle-même ou ajoutez-la depuis son propre emplacement.',
  UNREADABLE_FILE:
    'Impossible d’ouvrir cette photo. Vérifiez que vous avez le droit de la lire et que son disque est connecté, puis réessayez.',
  NO_SPACE: 'Le disque est plein, cette photo n’a donc pas pu être préparée. Libérez de l’espace, puis réessayez.',
  CANNOT_WRITE:
    'La photo préparée n’a pas pu être enregistrée. Vérifiez que le dossier de Companion est accessible en écriture, puis réessayez.',
  WORKER_DIED: 'La préparation de cette photo a échoué deux fois. Enregistrez-en une copie en JPEG et ajoutez-la.',
};

export const aside: Words['aside'] = {
  person: 'Vous avez mis cette photo de côté.',
  duplicate: 'Cette photo ressemble à « {{name}} », elle reste donc ici.',
  over_cap: 'Votre forfait accepte {{most}} photos par annonce. Celle-ci reste ici.',
};

export const changes: Words['changes'] = {
  Merge: 'Fusionner',
  Split: 'Séparer',
  'Move photos': 'Déplacer des photos',
  Order: 'Ordre',
  'Remove photo': 'Retirer la photo',
  'Remove photos': 'Retirer les photos',
  'Put back': 'Remettre',
  'Set aside': 'Mettre de côté',
  'Take in': 'Utiliser',
  'Split at barcodes and sheets': 'Séparer aux codes-barres et feuilles',
  'Edit photo': 'Modifier la photo',
};
