import type { Words } from '../saying.ts';

export const refusals: Words['refusals'] = {
  EMPTY_FILE: 'Este archivo está vacío. Cópielo otra vez del teléfono o de la cámara.',
  NOT_A_PHOTO: 'Este archivo no es una foto. Déjelo fuera o añada la foto de la que procede.',
  TRUNCATED: 'Falta el final de esta foto, así que una parte no se ve. Cópiela otra vez del teléfono o de la cámara.',
  DAMAGED: 'Esta foto está dañada y hay partes que no se ven. Cópiela otra vez o haga una nueva.',
  TOO_LARGE: 'Esta foto tiene demasiados píxeles para prepararla aquí. Guarde una copia más pequeña y añádala.',
  FILE_TOO_LARGE: 'Este archivo es demasiado grande para prepararlo aquí. Guarde una copia más pequeña y añádala.',
  TOO_SMALL: 'Esta imagen es demasiado pequeña para un anuncio. Use la foto original, no una miniatura.',
  EXTREME_SHAPE: 'Esta imagen es demasiado larga y estrecha para un anuncio. Recorte la parte que muestra el artículo.',
  ANIMATED:
    'Esta imagen tiene movimiento. Los compradores ven una foto fija: guarde un fotograma en JPEG o PNG y añádalo.',
  SVG: 'Esto es un dibujo (SVG), no una foto. Guárdelo en JPEG o PNG y añádalo.',
  PDF: 'Esto es un PDF, no una foto. Guarde la página en JPEG o PNG y añádala.',
  VIDEO: 'Esto es un vídeo, no una foto. Guarde una imagen fija y añádala.',
  CAMERA_RAW: 'Esto es un archivo RAW. Guárdelo en JPEG con el programa de la cámara y añádalo.',
  OTHER_PICTURE: 'Este tipo de imagen no se puede leer aquí. Guárdela en JPEG o PNG y añádala.',
  HEIC_UNREADABLE: 'Esta foto en formato de iPhone (HEIC) no se puede leer aquí. Guárdela en JPEG y añádala.',
  MISSING_FILE: 'Esta foto ya no está donde estaba. Devuélvala a su sitio o añádala otra vez desde el nuevo.',
  OUTSIDE_FOLDER:
    'Un enlace lleva ahora de aquí fuera de la carpeta añadida. Ponga aquí la propia foto o añádala desde su propio lugar.',
  UNREADABLE_FILE:
    'Esta foto no se puede abrir. Compruebe que tiene permiso para leerla y que su disco está conectado, e inténtelo de nuevo.',
  NO_SPACE: 'El disco está lleno y no se ha podido preparar esta foto. Libere espacio e inténtelo de nuevo.',
  CANNOT_WRITE:
    'No se ha podido guardar la foto preparada. Compruebe que se puede escribir en la carpeta de Companion e inténtelo de nuevo.',
  WORKER_DIED: 'No se ha podido preparar esta foto en dos intentos. Guarde una copia en JPEG y añádala.',
};

export const aside: Words['aside'] = {
  person: 'Ha apartado usted esta foto.',
  duplicate: 'Esta foto parece igual que «{{name}}», así que se queda aquí.',
  over_cap: 'Su plan admite {{most}} fotos por anuncio. Esta se queda aquí.',
};

export const changes: Words['changes'] = {
  Merge: 'Unir',
  Split: 'Dividir',
  'Move photos': 'Mover fotos',
  Order: 'Ordenar',
  'Remove photo': 'Quitar foto',
  'Remove photos': 'Quitar fotos',
  'Put back': 'Devolver',
  'Set aside': 'Apartar',
  'Take in': 'Usar',
  'Split at barcodes and sheets': 'Dividir por códigos de barras y hojas',
  'Edit photo': 'Editar foto',
};
