import type { Words } from '../words.ts';

const choosePolicies = 'Scegli le regole di questo sito';
const startPolicies = 'Crea le regole iniziali';

export const fixes: Words['fixes'] = {
  sentence: {
    MISSING_PACKAGE_WEIGHT: 'La spedizione si calcola in base al peso, e manca il peso del pacco.',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Il pacco pesa più di quanto accetta il corriere di questa regola.',
    MARKET_TOKEN_EXPIRED: 'L’account del marketplace non è più collegato.',
    MARKET_TRANSIENT: 'Il marketplace non era raggiungibile. Di solito si risolve entro un minuto.',
    MISSING_POLICIES:
      'Per questo sito non ci sono ancora regole di spedizione, pagamento e restituzione, o i dati salvati sono vecchi.',
    POLICY_MARKETPLACE_MISMATCH: 'Una delle regole appartiene a un altro sito.',
    CONDITION_NOT_ALLOWED: 'Questa categoria non accetta questa condizione.',
    MISSING_LOCATION: 'Il marketplace deve sapere dove si trova l’oggetto.',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Questa inserzione è stata creata per un sito su cui non si può pubblicare.',
    TARGET_POLICIES_REQUIRED: 'Su questo sito non ci sono ancora regole.',
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: 'Il modello indica una regola che questo sito non ha.',
    POLICY_REPAIR_FAILED:
      'Il marketplace non ha permesso di correggere le regole. Controllare lì le regole aziendali o rivolgersi alla sua assistenza.',
    SELLER_SETUP_REQUIRED:
      'La configurazione dell’account venditore sul marketplace non è completa. Completarla prima lì.',
    INLINE_SHIPPING_OTHER_SITE: 'La spedizione impostata nell’inserzione vale solo sul sito di origine.',
    TARGET_POLICIES_CHOOSE: 'Questo sito ha più regole, e nessuna viene scelta a caso.',
    MARKET_REFUSED: 'Il marketplace ha respinto l’inserzione per il motivo indicato. Correggerlo nell’inserzione.',
  },
  label: {
    MISSING_PACKAGE_WEIGHT: 'Inserisci il peso del pacco',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Controlla il peso del pacco',
    MARKET_TOKEN_EXPIRED: 'Accedi al marketplace',
    MARKET_TRANSIENT: 'Riprova tra un minuto',
    MISSING_POLICIES: 'Riprova',
    POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    CONDITION_NOT_ALLOWED: 'Scegli una condizione accettata',
    MISSING_LOCATION: 'Inserisci Paese e CAP',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Ricreala per un altro sito',
    TARGET_POLICIES_REQUIRED: startPolicies,
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    POLICY_REPAIR_FAILED: 'Ho controllato, riprova',
    SELLER_SETUP_REQUIRED: 'Ho completato, riprova',
    INLINE_SHIPPING_OTHER_SITE: 'Scegli le regole di spedizione di questo sito',
    TARGET_POLICIES_CHOOSE: 'Scegli le regole',
    MARKET_REFUSED: 'Ho corretto, riprova',
  },
  more: {
    PACKAGE_WEIGHT_TOO_HEAVY: 'Scegli un’altra regola di spedizione',
    MISSING_POLICIES: startPolicies,
  },
};
