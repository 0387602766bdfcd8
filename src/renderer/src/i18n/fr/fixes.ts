import type { Words } from '../words.ts';

const choosePolicies = 'Choisir des conditions de ce site';
const startPolicies = 'Créer les conditions de base';

export const fixes: Words['fixes'] = {
  sentence: {
    MISSING_PACKAGE_WEIGHT: 'L’affranchissement dépend du poids, et le poids du colis manque.',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Le colis est plus lourd que ce qu’accepte le mode d’expédition de ces conditions.',
    MARKET_TOKEN_EXPIRED: 'Le compte de la place de marché n’est plus connecté.',
    MARKET_TRANSIENT: 'La place de marché était injoignable. Cela s’arrange en général en moins d’une minute.',
    MISSING_POLICIES:
      'Il n’y a pas encore de conditions d’expédition, de paiement et de retour pour ce site, ou elles ne sont plus à jour.',
    POLICY_MARKETPLACE_MISMATCH: 'L’une des conditions de vente appartient à un autre site.',
    CONDITION_NOT_ALLOWED: 'Cette catégorie n’accepte pas cet état.',
    MISSING_LOCATION: 'La place de marché doit savoir où se trouve l’objet.',
    UNSUPPORTED_LISTING_MARKETPLACE: 'Cette annonce a été faite pour un site où la publication est impossible.',
    TARGET_POLICIES_REQUIRED: 'Vous n’avez pas encore de conditions de vente sur ce site.',
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: 'Le modèle cite des conditions de vente que ce site n’a pas.',
    POLICY_REPAIR_FAILED:
      'La place de marché n’a pas permis de réparer les conditions de vente. Consultez-les là-bas ou adressez-vous à son assistance.',
    SELLER_SETUP_REQUIRED:
      'Votre compte vendeur sur la place de marché n’est pas finalisé. Terminez-y d’abord la configuration.',
    INLINE_SHIPPING_OTHER_SITE: 'L’expédition définie dans l’annonce ne fonctionne que sur votre site d’origine.',
    TARGET_POLICIES_CHOOSE: 'Ce site a plusieurs conditions de vente ; c’est à vous de choisir.',
    MARKET_REFUSED: 'La place de marché a refusé l’annonce pour la raison indiquée. Corrigez ce point dans l’annonce.',
  },
  label: {
    MISSING_PACKAGE_WEIGHT: 'Saisir le poids du colis',
    PACKAGE_WEIGHT_TOO_HEAVY: 'Vérifier le poids du colis',
    MARKET_TOKEN_EXPIRED: 'Se connecter à la place de marché',
    MARKET_TRANSIENT: 'Réessayer dans une minute',
    MISSING_POLICIES: 'Réessayer',
    POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    CONDITION_NOT_ALLOWED: 'Choisir un état accepté',
    MISSING_LOCATION: 'Saisir le pays et le code postal',
    UNSUPPORTED_LISTING_MARKETPLACE: 'La refaire pour un autre site',
    TARGET_POLICIES_REQUIRED: startPolicies,
    TEMPLATE_POLICY_MARKETPLACE_MISMATCH: choosePolicies,
    POLICY_REPAIR_FAILED: 'Je les ai consultées, réessayer',
    SELLER_SETUP_REQUIRED: 'C’est configuré, réessayer',
    INLINE_SHIPPING_OTHER_SITE: 'Choisir des conditions d’expédition de ce site',
    TARGET_POLICIES_CHOOSE: 'Choisir les conditions de vente',
    MARKET_REFUSED: 'C’est corrigé, réessayer',
  },
  more: {
    PACKAGE_WEIGHT_TOO_HEAVY: 'Choisir d’autres conditions d’expédition',
    MISSING_POLICIES: startPolicies,
  },
};
