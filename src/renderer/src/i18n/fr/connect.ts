import type { Words } from '../words.ts';

export const connect: Words['connect'] = {
  title: 'Connecter mon compte',
  connect: 'Connecter',
  back: 'Retour',
  lead: 'Déposez des dossiers de photos. Chacun devient une annonce rédigée. Vous la vérifiez, et rien n’est publié ni payé sans votre accord.',
  lookAround: 'Découvrir d’abord',
  lookAroundText:
    'Un service d’entraînement fonctionne sur cet ordinateur. Pas de compte, pas d’argent, rien n’en sort.',
  practice: 'Essayer l’entraînement',
  forReal: 'Vendre pour de vrai',
  forRealText:
    'Avec l’adresse e-mail de votre compte auprès du service ; si vous n’en avez pas, un compte gratuit est créé.',
  email: 'E-mail',
  emailHelp: 'L’adresse de votre compte. S’il n’existe pas encore, un compte gratuit est créé.',
  emailNext:
    'Un code à 6 chiffres y est envoyé. Vous pouvez lire les conditions d’utilisation et la politique de confidentialité avant de saisir le code.',
  sendCode: 'M’envoyer un code',
  code: 'Code à 6 chiffres',
  codeHelp: 'Valable 10 minutes, une seule fois.',
  newCode: 'Envoyer un nouveau code',
  otherAddress: 'Utiliser une autre adresse',
  terms:
    'Un code a été envoyé à <email/>. En vous connectant, vous acceptez les <terms>conditions d’utilisation</terms> et la <privacy>politique de confidentialité</privacy> du service. S’il n’y a pas encore de compte pour cette adresse, un compte gratuit est créé.',
  tour: {
    name: 'Visite',
    at: 'Étape {{at}} sur {{of}}',
    dropTitle: 'Déposez des photos',
    drop: 'Faites glisser un dossier de photos n’importe où dans cette fenêtre. Chaque dossier devient un objet, et une annonce est rédigée à partir de ses photos.',
    lookTitle: 'Vérifiez',
    look: 'Un objet rédigé vous attend sous « Objets ». Corrigez ce qui ne va pas ; rien n’est encore en ligne.',
    yesTitle: 'Donnez votre accord',
    yes: 'Avant toute publication ou tout paiement, un récapitulatif montre de quoi il s’agit et ce que cela coûte. Seul votre accord déclenche l’envoi.',
    back: 'Retour',
    next: 'Suivant',
    done: 'Terminer',
    skip: 'Passer la visite',
  },
};
