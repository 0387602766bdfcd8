import type { Words } from '../words.ts';

const choosePolicies = 'Richtlinien dieses Marktplatzes wählen';
const startPolicies = 'Anfangsrichtlinien anlegen';

export const fixes: Words['fixes'] = {
  MISSING_PACKAGE_WEIGHT: {
    sentence: 'Der Versand wird nach Gewicht berechnet, und das Gewicht verpackt fehlt.',
    label: 'Gewicht verpackt eingeben',
    more: '',
  },
  PACKAGE_WEIGHT_TOO_HEAVY: {
    sentence: 'Verpackt ist es schwerer, als der Versanddienst dieser Richtlinie annimmt.',
    label: 'Gewicht verpackt prüfen',
    more: 'Eine andere Versandrichtlinie wählen',
  },
  MARKET_TOKEN_EXPIRED: {
    sentence: 'Das Marktplatzkonto ist nicht mehr verbunden.',
    label: 'Beim Marktplatz anmelden',
    more: '',
  },
  MARKET_TRANSIENT: {
    sentence: 'Der Marktplatz war nicht zu erreichen. Das geht meist binnen einer Minute vorbei.',
    label: 'In einer Minute noch einmal versuchen',
    more: '',
  },
  MISSING_POLICIES: {
    sentence: 'Für diesen Marktplatz gibt es noch keine Versand-, Zahlungs- und Rückgaberichtlinien, oder nur alte.',
    label: 'Noch einmal versuchen',
    more: startPolicies,
  },
  POLICY_MARKETPLACE_MISMATCH: {
    sentence: 'Eine der Richtlinien gehört zu einem anderen Marktplatz.',
    label: choosePolicies,
    more: '',
  },
  CONDITION_NOT_ALLOWED: {
    sentence: 'Diese Kategorie nimmt diesen Zustand nicht.',
    label: 'Einen Zustand wählen, den sie nimmt',
    more: '',
  },
  MISSING_LOCATION: {
    sentence: 'Der Marktplatz muss wissen, wo der Artikel ist.',
    label: 'Land und Postleitzahl eingeben',
    more: '',
  },
  UNSUPPORTED_LISTING_MARKETPLACE: {
    sentence: 'Dieses Angebot wurde für einen Marktplatz gemacht, auf dem nicht veröffentlicht werden kann.',
    label: 'Für einen anderen Marktplatz neu machen',
    more: '',
  },
  TARGET_POLICIES_REQUIRED: {
    sentence: 'Sie haben auf diesem Marktplatz noch keine Richtlinien.',
    label: startPolicies,
    more: '',
  },
  TEMPLATE_POLICY_MARKETPLACE_MISMATCH: {
    sentence: 'Die Vorlage nennt eine Richtlinie, die dieser Marktplatz nicht hat.',
    label: choosePolicies,
    more: '',
  },
  POLICY_REPAIR_FAILED: {
    sentence:
      'Der Marktplatz ließ die Richtlinien nicht reparieren. Sehen Sie dort Ihre Geschäftsrichtlinien an, oder fragen Sie seinen Kundendienst.',
    label: 'Ich habe nachgesehen, noch einmal versuchen',
    more: '',
  },
  SELLER_SETUP_REQUIRED: {
    sentence: 'Ihr Verkäuferkonto auf dem Marktplatz ist nicht fertig eingerichtet. Tun Sie das dort zuerst.',
    label: 'Es ist eingerichtet, noch einmal versuchen',
    more: '',
  },
  INLINE_SHIPPING_OTHER_SITE: {
    sentence: 'Versand, der im Angebot selbst steht, gilt nur auf Ihrem Heimatmarktplatz.',
    label: 'Versandrichtlinien dieses Marktplatzes wählen',
    more: '',
  },
  TARGET_POLICIES_CHOOSE: {
    sentence: 'Dieser Marktplatz hat mehrere Richtlinien, und keine wird erraten.',
    label: 'Die Richtlinien wählen',
    more: '',
  },
  MARKET_REFUSED: {
    sentence: 'Der Marktplatz hat das Angebot aus dem genannten Grund abgelehnt. Ändern Sie das im Angebot.',
    label: 'Ich habe es geändert, noch einmal versuchen',
    more: '',
  },
};
