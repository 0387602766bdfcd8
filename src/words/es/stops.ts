import type { Words } from '../saying.ts';

export const stops: Words['stops'] = {
  CANCELLED: 'Lo ha detenido usted aquí. No se ha publicado nada.',
  'CANCELLED.writing': 'Ha dejado de esperarlo. Es posible que el servicio termine de redactarlo; no se publica nada.',
  DELETED: 'El anuncio se ha eliminado. Las fotos siguen aquí.',
  NO_PHOTOS:
    'No se puede usar ninguna de las fotos. Vea el motivo de cada una y añada otras mejores como artículo nuevo.',
  DRAFT_UNKNOWN:
    'El borrador se pidió hace más de un día y la respuesta no llegó. Búsquelo en sus anuncios antes de volver a añadir estas fotos.',
  ALLOWANCE_USED:
    'Se han agotado los anuncios de este mes. No se ha redactado nada. Inténtelo de nuevo cuando se renueven o con un plan mayor.',
  WOULD_BE_EXTRA:
    'El próximo anuncio sería un extra de pago y necesita antes su visto bueno. Reserve extras en Cuenta e inténtelo de nuevo. No se ha redactado nada.',
  USAGE_LIMIT: 'Se han agotado los anuncios de este mes, así que este no se ha redactado.',
  IMAGES_UNREADABLE: 'El servicio no ha podido leer las fotos. Añada otras más nítidas como artículo nuevo.',
  WRITING_FAILED: 'La redacción ha fallado en el servicio.',
  ASKED_AGAIN: 'Redactarlo de nuevo gasta un anuncio más, así que espera su visto bueno.',
};
