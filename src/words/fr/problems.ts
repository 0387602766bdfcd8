import type { Words } from '../saying.ts';

export const problems: Words['problems'] = {
  ALREADY_RUNNING: 'Companion est déjà ouvert avec ce dossier de données.',
  APPROVAL_EXPIRED: 'Il n’y a pas eu de réponse à temps. Refaites la demande si elle est toujours souhaitée.',
  APPROVAL_WITHDRAWN: 'Cette demande a été retirée.',
  BROKEN_OFF: 'L’envoi a été interrompu.',
  'BUDGET_SPENT.publishes':
    'Cet assistant peut publier au plus {{most}} fois par jour, et cette limite est atteinte.',
  'BUDGET_SPENT.money': 'Cela dépasserait ce que cet assistant peut dépenser en un jour.',
  CANCELLED: 'Annulé.',
  'COMPANION_AWAY.before': 'Companion n’est pas ouvert. Relancez-le ; ce que vous voyez ici n’est peut-être plus à jour.',
  'COMPANION_AWAY.during':
    'Companion s’est arrêté avant de répondre. Regardez ce qui s’est passé avant de réessayer.',
  CONNECTION_IS_THE_PERSONS: 'C’est à vous de connecter le compte, dans Companion. Ouvrez-le pour cela.',
  BACKUP_UNKNOWN: 'Il n’existe pas de copie complète de ce nom. Choisissez-en une dans la liste.',
  DATA_DAMAGED:
    'Les données de Companion sont abîmées. Quittez-le et relancez-le : elles seront alors rétablies depuis la copie la plus récente.',
  DATA_UNWRITABLE: 'Impossible d’écrire dans le dossier de données. Choisissez-en un autre avec --data.',
  DESKTOP_ONLY: 'Seule l’application de bureau peut le faire ; ici, Companion tourne dans un navigateur.',
  DRAFT_STARTED:
    'Le brouillon de « {{name}} » existe déjà auprès du service. Fusionnez plutôt les autres avec cet objet.',
  EXTRAS_IN_FLIGHT:
    'Autant d’annonces supplémentaires que vous en avez approuvé sont en cours de rédaction. Réessayez quand l’une d’elles sera terminée.',
  EXTRAS_UNAVAILABLE: 'Votre forfait ne permet pas d’annonces supplémentaires.',
  FIVE_AT_A_TIME:
    '{{most}} annonces sont déjà en cours de rédaction. Réessayez quand l’une d’elles sera terminée.',
  FOLDER_NOT_ALLOWED: 'Ce dossier n’est pas autorisé. Il peut l’être dans Companion, sous « Assistants ».',
  INTAKE_FAILED: 'Une photo n’est pas arrivée entière. Déposez-la à nouveau.',
  INTAKE_MISSING: 'Une photo déposée n’est plus là. Déposez-la à nouveau.',
  INTERNAL: 'Une erreur s’est produite dans Companion. Rien n’a été envoyé ; veuillez réessayer.',
  'INVALID_INPUT.field': '{{field}} ne convient pas : {{why}}.',
  'INVALID_INPUT.whole': 'La saisie ne convient pas : {{why}}.',
  'INVALID_REQUEST.batchSize': 'Une demande groupée réunit de 2 à {{most}} demandes.',
  'INVALID_REQUEST.batchListings':
    'Une demande groupée ne réunit que des demandes sur des annonces. Envoyez les autres séparément.',
  'INVALID_REQUEST.batchTwice': 'Une demande groupée prend une seule demande par annonce.',
  'INVALID_REQUEST.mostPhotos': 'Un objet compte au plus {{most}} photos.',
  'INVALID_REQUEST.mostFolders': 'Au plus {{most}} dossiers peuvent être autorisés.',
  'INVALID_REQUEST.wholePath': 'Indiquez le chemin complet, depuis la racine.',
  'INVALID_REQUEST.wholeFolder': 'Indiquez le chemin complet du dossier.',
  'INVALID_REQUEST.nothingNamed': 'Indiquez un dossier ou les chemins de photos.',
  'KEYCHAIN_FAILED.absent':
    'Aucun trousseau de clés n’est actif ici ; installez et lancez GNOME Keyring ou KWallet pour conserver la clé.',
  'KEYCHAIN_FAILED.locked':
    'Le trousseau du système est verrouillé ou n’existe pas encore ; déverrouillez-le ou créez-en un, puis relancez Companion pour conserver la clé.',
  'KEYCHAIN_FAILED.silent':
    'Le trousseau du système ne répond pas ; déverrouillez-le, puis relancez Companion pour conserver la clé.',
  'KEYCHAIN_FAILED.noBus':
    'Cette session n’a pas de D-Bus, le trousseau du système est donc injoignable ; lancez Companion depuis votre session de bureau pour conserver la clé.',
  'KEYCHAIN_FAILED.other':
    'Le trousseau du système est inutilisable ; vérifiez qu’il est déverrouillé, puis relancez Companion pour conserver la clé.',
  LAST_PHOTO: 'Un objet a besoin d’au moins une photo. Retirez l’objet lui-même ou ajoutez d’abord d’autres photos.',
  LINK_REFUSED: 'Seules les adresses https s’ouvrent.',
  LOGS_NOT_SHOWN: 'Le dossier des journaux n’a pas pu être ouvert ; c’est {{dir}}.',
  'MISSING_PATH.dropped': '« {{name}} » n’est plus là. Déposez-le à nouveau.',
  'MISSING_PATH.asked': 'Ce fichier ou ce dossier n’existe pas.',
  NEEDS_NO_YES: 'Cela ne demande aucun accord. Envoyez-le séparément.',
  DISK_FULL:
    'Le disque est plein, rien n’a donc pu être conservé ici. Libérez de l’espace, puis réessayez ; rien n’est perdu.',
  NEWER_DATABASE:
    'Ce dossier de données vient d’une version plus récente de Companion. Veuillez installer cette version.',
  NOTHING_TO_SPLIT: 'Ce sont toutes les photos de l’objet. Choisissez-en quelques-unes.',
  NOTHING_TO_UNDO: 'Il n’y a aucune modification à annuler.',
  'NOT_ALLOWED.asks': 'Le service veut que l’on vous demande d’abord.',
  'NOT_ALLOWED.read':
    'Cet assistant n’a que le droit de regarder. Il peut en recevoir d’autres dans Companion, sous « Assistants ».',
  'NOT_ALLOWED.draft':
    'Cet assistant n’a que le droit de regarder et de travailler sur des brouillons. Faites-le vous-même ou accordez-lui plus de droits dans Companion, sous « Assistants ».',
  NOT_A_COUNT: 'Seul un nombre d’extras peut être réduit.',
  NOT_A_PHOTO: 'Ce n’est pas une photo.',
  NOT_BUILT: 'La fenêtre n’est pas encore construite ; exécutez d’abord "npm run build".',
  NOT_CONNECTED: 'Connectez d’abord votre compte.',
  NOT_DONE:
    'Le service n’a pas répondu, et vérification faite, rien ne s’est passé. Vous pouvez refaire la demande.',
  NOT_FOR_ASSISTANTS: 'Le service ne permet plus cela aux assistants.',
  'NOT_FOUND.approval': 'Cette demande d’approbation n’existe pas.',
  'NOT_FOUND.assistant': 'Cet assistant n’existe pas.',
  'NOT_FOUND.barcode': 'Aucune photo de cet objet ne montre ce code-barres.',
  'NOT_FOUND.batch': 'Cette demande groupée n’existe pas.',
  'NOT_FOUND.item': 'Cet objet n’existe pas.',
  'NOT_FOUND.itemOfYours': 'Aucun de vos objets ne correspond.',
  'NOT_FOUND.pairing': 'Cette demande d’accès n’existe pas.',
  'NOT_FOUND.photo': 'Cette photo n’existe pas.',
  'NOT_FOUND.atService': 'Le service ne connaît plus cet élément.',
  NOT_INSTALLED: 'Cette copie n’a pas été posée par un programme d’installation, elle ne se met donc pas à jour.',
  NOT_LOWER: 'Choisissez un nombre inférieur à celui demandé.',
  NOT_WHAT_WAS_SHOWN: 'Cet accord ne porte pas sur ce qui était affiché. Veuillez regarder à nouveau.',
  NOT_YOUR_LISTING: 'Cet assistant ne peut travailler que sur les annonces qu’il a créées.',
  'NO_ANSWER.read': 'Le service n’a pas répondu. Veuillez réessayer dans un instant.',
  'NO_ANSWER.write': 'Le service n’a pas répondu ; on ignore si la demande est arrivée.',
  NO_PHOTOS: 'Il n’y a pas encore de photo préparée à faire glisser.',
  'NO_PHOTOS_FOUND.dropped':
    'Il n’y a pas de photos là-dedans. Déposez un dossier de photos ou les photos elles-mêmes.',
  'NO_PHOTOS_FOUND.asked': 'Il n’y a pas de photos là-dedans.',
  NO_PRACTICE: 'Les données d’entraînement n’existent qu’avec le service d’entraînement.',
  OFFER_OVER: 'Cette page n’est plus proposée. Demandez à l’assistant de réessayer.',
  PAIRING_OVER: 'Cette demande a expiré. Demandez à l’assistant de réessayer.',
  PERSON_DECLINED: 'Cela a été refusé. Ne refaites la demande que si elle est souhaitée.',
  PHOTO_REFUSED: 'Cette photo est inutilisable.',
  PHOTO_TOO_LARGE: 'Une photo peut faire au plus 64 Mio.',
  PUBLISH_BLOCKED: 'Il manque encore quelque chose avant la publication.',
  RATE_CHANGED: 'Une annonce supplémentaire coûte maintenant {{rate}}. Refaites la demande à ce prix.',
  RECONNECT_NEEDED: 'Le service n’accepte plus cette connexion. Veuillez vous reconnecter.',
  REFUSED: 'Le service a refusé la demande.',
  SERVICE_FAULT: 'Le service est en panne en ce moment. Veuillez réessayer dans un instant.',
  SERVICE_UNREACHABLE: 'Le service est injoignable. Vérifiez la connexion à Internet ; rien n’a été envoyé.',
  SLOW_DOWN: 'Cela vient d’être fait. Le répéter sans cesse n’est pas autorisé.',
  STANDING_UNKNOWN: 'Le quota n’a pas pu être lu.',
  SUPERSEDED: 'Ce qui était affiché n’est plus valable. Regardez à nouveau avant de demander.',
  TOO_LARGE: 'Ce fichier dépasse 250 Mo et n’a pas été repris.',
  'TOO_LATE.photos':
    'Les photos de cet objet sont déjà chez le service et ne peuvent plus être réorganisées. Modifiez l’annonce elle-même une fois rédigée.',
  'TOO_LATE.note': 'Le brouillon est déjà commencé. Modifiez l’annonce elle-même une fois rédigée.',
  TOO_MANY_PAIRINGS: 'Trop d’assistants attendent d’être admis. Répondez d’abord à ceux-ci.',
  TOO_MANY_PHOTOS: 'Une annonce accepte au plus {{most}} photos.',
  TOO_MANY_REQUESTS: 'Le service demande d’attendre avant de réessayer.',
  'TOO_MANY_WAITING.questions': 'Trop de demandes sont en attente. Répondez d’abord à quelques-unes.',
  'TOO_MANY_WAITING.lists': 'Une autre demande groupée est en attente. Répondez-y d’abord.',
  UNCONFIRMED: 'Le service n’a pas répondu. Companion vérifie si c’est fait ; rien n’est renvoyé.',
  'UNCONFIRMED.unknowable':
    'Le service n’a pas répondu et ne peut pas dire si c’est fait. Rien n’est renvoyé ; regardez là-bas avant de refaire la demande.',
  'UNEXPECTED_ANSWER.large': 'La réponse du service dépasse ce que Companion accepte en une fois.',
  'UNEXPECTED_ANSWER.strange': 'Cette version de Companion ne comprend pas la réponse du service.',
  UNKNOWN_CALL: 'La fenêtre a demandé quelque chose que Companion ne sait pas faire.',
  UNKNOWN_ROUTE: 'Cela n’existe pas auprès du service.',
  UNREADABLE_PHOTO: 'Cette photo est illisible.',
  UPLOAD_ADDRESS: 'Le service a donné une adresse d’envoi qui n’est pas sûre.',
  UPLOAD_FAILED: 'Une photo n’a pas pu être envoyée.',
  UPLOAD_REFUSED: 'Le service n’a pas accepté une photo. Une nouvelle adresse d’envoi est demandée.',
  UPLOAD_SLOTS: 'Le service a donné moins d’adresses d’envoi que de photos.',
  'INVALID_CODE.wrong':
    'Ce code est erroné, déjà utilisé ou expiré. Regardez l’e-mail le plus récent ou recommencez pour en recevoir un nouveau.',
  'INVALID_CODE.usedUp':
    'Ce code est erroné, déjà utilisé ou expiré. Cette connexion n’est plus valable ; recommencez pour recevoir un nouveau code.',
  AGENT_KEY_LIMIT:
    'Ce compte a atteint son nombre maximal d’assistants connectés. Déconnectez-en un dans les réglages en ligne, puis réessayez.',
  ACCOUNT_BUSY: 'Le compte est en cours de création. Réessayez dans un instant.',
  ACCOUNT_UNAVAILABLE: 'Cette adresse n’est pas utilisable pour l’instant.',
  'WRONG_STATE.draft':
    'Cette annonce n’est pas encore rédigée. Elle pourra être publiée une fois rédigée et vérifiée.',
  'WRONG_STATE.processing':
    'Cette annonce est en cours de rédaction. Elle pourra être publiée quand ce sera terminé.',
  'WRONG_STATE.published': 'Cette annonce est déjà en ligne.',
  'WRONG_STATE.ended': 'Cette annonce est terminée. Reprenez-la pour la publier à nouveau.',
  'WRONG_STATE.sold': 'Cette annonce est vendue.',
  'WRONG_STATE.failed': 'La rédaction de cette annonce a échoué. Relancez-la avant de publier.',
  'WRONG_STATE.notLive':
    'Cette annonce n’est pas en ligne, il n’y a donc rien à modifier sur la place de marché.',
  'WRONG_STATE.notToEnd': 'Cette annonce n’est pas en ligne, on ne peut donc pas y mettre fin.',
  'WRONG_STATE.notToEdit':
    'Cette annonce est ou a été en ligne et ne se modifie pas ainsi. Modifiez plutôt l’annonce en ligne.',
  'WRONG_STATE.notToDelete': 'Une annonce qui est ou a été en ligne ne peut pas être supprimée.',
  'WRONG_STATE.notToWrite':
    'Seul un brouillon peut être rédigé. Une annonce en échec doit d’abord être reprise.',
};
