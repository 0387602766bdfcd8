import type { Words } from '../words.ts';

const choosePolicies = 'Elegir políticas de este sitio';
const startPolicies = 'Crear las políticas iniciales';

export const fixes: Words['fixes'] = {
  sentence: {
    MISSING_PACKAGE_WEIGHT: 'El envío se calcula por peso y falta el peso con embalaje.',
    PACKAGE_WEIGHT_TOO_HEAVY: 'El peso con embalaje supera lo que admite el servicio de envío de esta política.',
    MARKET_TOKEN_EXPIRED: 'La cuenta del marketplace ya no está conectada.',
    MARKET_TRANSIENT: 'No se ha podido acceder al marketplace. Suele pasar en menos de un minuto.',
    MISSING_POLICIES:
      'Para este sitio aún no hay políticas de envío, pago y devoluciones, o solo consta una versión antigua.',
    POLICY_MARKETPLACE_MISMATCH: 'Una de las políticas es de otro sitio.',
    CONDITION_NOT_ALLOWED: 'Esta categoría no admite este estado.',
    MISSING_LOCATION: 'El marketplace necesita saber dónde está el artículo.',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Este anuncio se creó para un sitio en el que no se puede publicar.',
    TARGET_POLICIES_REQUIRED: 'Aún no tiene políticas en este sitio.',
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: 'La plantilla indica una política que este sitio no tiene.',
    POLICY_REPAIR_FAILED:
      'El marketplace no ha permitido reparar las políticas. Revise allí sus políticas de negocio o consulte a su atención al cliente.',
    SELLER_SETUP_REQUIRED: 'Su cuenta de vendedor en el marketplace está incompleta. Complétela allí primero.',
    INLINE_SHIPPING_OTHER_SITE: 'El envío indicado en el propio anuncio solo funciona en su sitio de origen.',
    TARGET_POLICIES_CHOOSE: 'Este sitio tiene varias políticas y no se elige ninguna por suposición.',
    MARKET_REFUSED: 'El marketplace ha rechazado el anuncio por el motivo que indica. Corríjalo en el anuncio.',
  },
  label: {
    MISSING_PACKAGE_WEIGHT: 'Indicar el peso con embalaje',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Comprobar el peso con embalaje',
    MARKET_TOKEN_EXPIRED: 'Iniciar sesión en el marketplace',
    MARKET_TRANSIENT: 'Reintentar en un minuto',
    MISSING_POLICIES: 'Intentarlo una vez más',
    POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    CONDITION_NOT_ALLOWED: 'Elegir un estado que admita',
    MISSING_LOCATION: 'Indicar el país y el código postal',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Crearlo de nuevo para otro sitio',
    TARGET_POLICIES_REQUIRED: startPolicies,
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    POLICY_REPAIR_FAILED: 'Ya las he revisado, reintentar',
    SELLER_SETUP_REQUIRED: 'Ya está completa, reintentar',
    INLINE_SHIPPING_OTHER_SITE: 'Elegir políticas de envío de este sitio',
    TARGET_POLICIES_CHOOSE: 'Elegir las políticas',
    MARKET_REFUSED: 'Ya lo he corregido, reintentar',
  },
  more: {
    PACKAGE_WEIGHT_TOO_HEAVY: 'Elegir otra política de envío',
    MISSING_POLICIES: startPolicies,
  },
};
