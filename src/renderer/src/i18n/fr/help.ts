import type { Words } from '../words.ts';

export const help: Words['help'] = {
  title: 'Aide',
  guide: 'Comment ça marche',
  photosTitle: 'Des photos à l’annonce',
  photos:
    'Déposez un dossier de photos dans la fenêtre ; chaque dossier devient un objet. Les photos sont tournées, réduites et débarrassées des données de lieu et d’appareil sur cet ordinateur, puis envoyées. Le service en tire titre, description, catégorie et prix. Vos propres fichiers ne sont jamais modifiés.',
  reviewTitle: 'Votre vérification',
  review:
    'Un objet rédigé attend sous « Objets ». Relisez-le et corrigez ce qui ne va pas ; ce que la place de marché exige encore est indiqué près du champ. Rien n’est encore en ligne.',
  yesTitle: 'Votre accord',
  yes: 'À la publication, un récapitulatif montre la photo, le prix et les frais de la place de marché. L’annonce n’est mise en ligne qu’après votre accord. Quand l’objet se vend, une notification vous prévient.',
  neverTitle: 'Ce qui n’arrive jamais sans votre accord',
  never:
    'Publier, modifier une annonce en ligne ou y mettre fin, supprimer, faire rédiger un nouveau texte, activer ou réserver des extras, ouvrir une page de paiement, modifier les conditions de vente et les valeurs par défaut, se déconnecter et envoyer un message au service. Chaque demande a son propre récapitulatif, et personne d’autre que vous ne peut y répondre.',
  assistantsTitle: 'Assistants',
  assistants:
    'Les assistants IA de cet ordinateur peuvent travailler avec Companion dès que vous leur donnez accès. Ils peuvent ajouter des photos, faire rédiger des annonces, modifier des brouillons et demander le reste. Ils ne peuvent ni donner d’accord, ni voir votre clé, ni ouvrir une page de paiement, ni dépasser vos limites. Tout ce qu’ils font figure sous « Assistants ».',
  keyTitle: 'Votre clé et le service d’entraînement',
  key: 'La clé de votre compte se trouve dans le trousseau de cet ordinateur, et nulle part ailleurs ; aucun assistant ni aucun journal ne la reçoit. Le service d’entraînement fonctionne uniquement sur cet ordinateur : pas de compte, pas d’argent, rien n’en sort. Commencez par tout y essayer.',
  tour: 'Afficher la visite',
  keys: 'Raccourcis',
  trouble: 'Quand quelque chose ne marche pas',
  offline: 'Pas de connexion',
  offlineText:
    'Une ligne en haut le signale et dit ce qui marche encore. Elle disparaît d’elle-même ; rien n’est perdu.',
  stopped: 'Un objet n’avance plus',
  stoppedText: 'Ouvrez-le : il dit pourquoi et propose l’étape suivante.',
  reconnect: 'Le service ne connaît plus Companion',
  reconnectText: 'Reconnectez-vous sous <account>Compte</account>. Objets et annonces sont conservés.',
  diagnostics: 'Quelqu’un vous aide',
  diagnosticsText:
    'Les journaux et un fichier de diagnostic se trouvent dans les <settings>Réglages</settings>. Lisez le fichier avant de l’envoyer.',
  contact: 'Écrire au service',
  contactText: 'Votre message va à l’équipe du service. Vous le revoyez avant l’envoi.',
  reply: 'Réponse à',
  replyWrong: 'Une adresse e-mail est nécessaire pour la réponse.',
  message: 'Message',
  messageWrong: 'Que souhaitez-vous dire ?',
  send: 'Envoyer…',
  waits: 'Il attend votre accord.',
  notSent: 'Il n’a pas été envoyé. Votre texte est toujours là.',
  sent: 'Envoyé. La réponse arrivera par e-mail à {{email}}.',
  notConnected: 'Connectez d’abord votre compte ; vous pourrez alors envoyer un message d’ici.',
};
