import type { Words } from '../saying.ts';

export const notices: Words['notices'] = {
  written: 'Annonce à vérifier',
  manyWritten: { one: '{{count}} annonce à vérifier', other: '{{count}} annonces à vérifier' },
  writtenText: 'Rien n’est publié sans votre accord.',
  sold: 'Vendu',
  manySold: { one: '{{count}} annonce vendue', other: '{{count}} annonces vendues' },
  soldText: 'Ouvrez l’annonce pour voir la suite à donner.',
  untitled: 'Une annonce',
  asks: '{{name}} demande : {{act}}',
  plain: '{{text}}',
  joined: '{{before}} · {{next}}',
  connectionEnded: 'La connexion à votre compte a pris fin',
  connectAgain: 'Reconnectez-vous pour continuer ; tout est conservé en l’état.',
  offline: 'Le service est injoignable. Companion continue d’essayer ; rien n’est perdu.',
  folderGone:
    'Le dossier surveillé « {{name}} » est introuvable. Remettez-le en place ou choisissez-en un autre dans les réglages.',
  folderElsewhere:
    'Le dossier surveillé « {{name}} » mène maintenant à un autre endroit ; rien n’y est donc repris. Choisissez-le à nouveau dans les réglages si c’est bien voulu.',
  keychainMissing: 'Companion a été installé sans accès au trousseau de clés du système. {{then}}',
  libsecretMissing:
    'Le trousseau de clés du système est inaccessible, car la bibliothèque libsecret n’est pas installée. {{then}}',
  keychainUnused: '{{why}} {{then}}',
  thisRunOnly: 'Votre clé n’est conservée que pour cette session ; il faudra vous reconnecter au prochain démarrage.',
  quoted: '« {{text}} »',
  fact: '{{label}}: {{value}}',
  differs: 'Ce qui est en ligne diffère de votre accord',
  differsText: '« {{title}} » : regardez les différences. Vous pouvez y mettre fin maintenant.',
};
