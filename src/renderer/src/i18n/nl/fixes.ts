import type { Words } from '../words.ts';

const choosePolicies = 'Beleid van deze site kiezen';
const startPolicies = 'Basisbeleid aanmaken';

export const fixes: Words['fixes'] = {
  sentence: {
    MISSING_PACKAGE_WEIGHT: 'De verzendkosten hangen af van het gewicht, en het verzendgewicht ontbreekt.',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Het verzendgewicht is hoger dan de verzenddienst van dit beleid toestaat.',
    MARKET_TOKEN_EXPIRED: 'Het marketplace-account is niet meer gekoppeld.',
    MARKET_TRANSIENT: 'De marketplace was niet bereikbaar. Meestal is dat binnen een minuut voorbij.',
    MISSING_POLICIES: 'Voor deze site is er nog geen verzend-, betalings- en retourbeleid, of alleen verouderd beleid.',
    POLICY_MARKETPLACE_MISMATCH: 'Een deel van het beleid hoort bij een andere site.',
    CONDITION_NOT_ALLOWED: 'Deze staat is in deze categorie niet toegestaan.',
    MISSING_LOCATION: 'De marketplace moet weten waar het artikel is.',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Deze aanbieding is gemaakt voor een site waarop niet kan worden gepubliceerd.',
    TARGET_POLICIES_REQUIRED: 'U hebt op deze site nog geen beleid.',
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: 'Het sjabloon noemt beleid dat op deze site niet bestaat.',
    POLICY_REPAIR_FAILED:
      'Het beleid kon op de marketplace niet worden hersteld. Bekijk daar uw verkoopbeleid of vraag het de klantenservice.',
    SELLER_SETUP_REQUIRED: 'Uw verkopersaccount op de marketplace is nog niet volledig ingesteld. Doe dat daar eerst.',
    INLINE_SHIPPING_OTHER_SITE: 'Verzending die in de aanbieding zelf staat, werkt alleen op uw eigen site.',
    TARGET_POLICIES_CHOOSE: 'Op deze site is er meer dan één beleid; de keuze is aan u.',
    MARKET_REFUSED: 'De marketplace heeft de aanbieding geweigerd om de genoemde reden. Wijzig dat in de aanbieding.',
  },
  label: {
    MISSING_PACKAGE_WEIGHT: 'Verzendgewicht invullen',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Verzendgewicht controleren',
    MARKET_TOKEN_EXPIRED: 'Inloggen bij de marketplace',
    MARKET_TRANSIENT: 'Over een minuut opnieuw proberen',
    MISSING_POLICIES: 'Opnieuw proberen',
    POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    CONDITION_NOT_ALLOWED: 'Een toegestane staat kiezen',
    MISSING_LOCATION: 'Land en postcode invullen',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Opnieuw maken voor een andere site',
    TARGET_POLICIES_REQUIRED: startPolicies,
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    POLICY_REPAIR_FAILED: 'Ik heb het bekeken, opnieuw proberen',
    SELLER_SETUP_REQUIRED: 'Het is klaar, opnieuw proberen',
    INLINE_SHIPPING_OTHER_SITE: 'Verzendbeleid van deze site kiezen',
    TARGET_POLICIES_CHOOSE: 'Beleid kiezen',
    MARKET_REFUSED: 'Ik heb het gewijzigd, opnieuw proberen',
  },
  more: {
    PACKAGE_WEIGHT_TOO_HEAVY: 'Ander verzendbeleid kiezen',
    MISSING_POLICIES: startPolicies,
  },
};
