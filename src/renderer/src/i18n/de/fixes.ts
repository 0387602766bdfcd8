import type { Words } from '../words.ts';

const choosePolicies = 'Richtlinien dieses Marktplatzes wählen';
const startPolicies = 'Anfangsrichtlinien anlegen';

export const fixes: Words['fixes'] = {
  sentence: {
    MISSING_PACKAGE_WEIGHT: 'Der Versand wird nach Gewicht berechnet, und das Gewicht verpackt fehlt.',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Verpackt ist es schwerer, als der Versanddienst dieser Richtlinie annimmt.',
    MARKET_TOKEN_EXPIRED: 'Das Marktplatzkonto ist nicht mehr verbunden.',
    MARKET_TRANSIENT: 'Der Marktplatz war nicht zu erreichen. Das geht meist binnen einer Minute vorbei.',
    MISSING_POLICIES:
      'Für diesen Marktplatz gibt es noch keine Versand-, Zahlungs- und Rückgaberichtlinien, oder nur alte.',
    POLICY_MARKETPLACE_MISMATCH: 'Eine der Richtlinien gehört zu einem anderen Marktplatz.',
    CONDITION_NOT_ALLOWED: 'Diese Kategorie nimmt diesen Zustand nicht.',
    MISSING_LOCATION: 'Der Marktplatz muss wissen, wo der Artikel ist.',
    UNSUPPORTED_LISTING_MARKETPLACE:
      'Dieses Angebot wurde für einen Marktplatz gemacht, auf dem nicht veröffentlicht werden kann.',
    TARGET_POLICIES_REQUIRED: 'Sie haben auf diesem Marktplatz noch keine Richtlinien.',
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: 'Die Vorlage nennt eine Richtlinie, die dieser Marktplatz nicht hat.',
    POLICY_REPAIR_FAILED:
      'Der Marktplatz ließ die Richtlinien nicht reparieren. Sehen Sie dort Ihre Geschäftsrichtlinien an, oder fragen Sie seinen Kundendienst.',
    SELLER_SETUP_REQUIRED:
      'Ihr Verkäuferkonto auf dem Marktplatz ist nicht fertig eingerichtet. Tun Sie das dort zuerst.',
    INLINE_SHIPPING_OTHER_SITE: 'Versand, der im Angebot selbst steht, gilt nur auf Ihrem Heimatmarktplatz.',
    TARGET_POLICIES_CHOOSE: 'Dieser Marktplatz hat mehrere Richtlinien, und keine wird erraten.',
    MARKET_REFUSED: 'Der Marktplatz hat das Angebot aus dem genannten Grund abgelehnt. Ändern Sie das im Angebot.',
  },
  label: {
    MISSING_PACKAGE_WEIGHT: 'Gewicht verpackt eingeben',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Gewicht verpackt prüfen',
    MARKET_TOKEN_EXPIRED: 'Beim Marktplatz anmelden',
    MARKET_TRANSIENT: 'In einer Minute noch einmal versuchen',
    MISSING_POLICIES: 'Noch einmal versuchen',
    POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    CONDITION_NOT_ALLOWED: 'Einen Zustand wählen, den sie nimmt',
    MISSING_LOCATION: 'Land und Postleitzahl eingeben',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Für einen anderen Marktplatz neu machen',
    TARGET_POLICIES_REQUIRED: startPolicies,
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    POLICY_REPAIR_FAILED: 'Ich habe nachgesehen, noch einmal versuchen',
    SELLER_SETUP_REQUIRED: 'Es ist eingerichtet, noch einmal versuchen',
    INLINE_SHIPPING_OTHER_SITE: 'Versandrichtlinien dieses Marktplatzes wählen',
    TARGET_POLICIES_CHOOSE: 'Die Richtlinien wählen',
    MARKET_REFUSED: 'Ich habe es geändert, noch einmal versuchen',
  },
  more: {
    PACKAGE_WEIGHT_TOO_HEAVY: 'Eine andere Versandrichtlinie wählen',
    MISSING_POLICIES: startPolicies,
  },
};
