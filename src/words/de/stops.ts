import type { Words } from '../saying.ts';

export const stops: Words['stops'] = {
  CANCELLED: 'Sie haben es hier angehalten. Es wurde nichts veröffentlicht.',
  'CANCELLED.writing':
    'Sie warten nicht länger darauf. Der Dienst schreibt es vielleicht noch fertig; veröffentlicht wird nichts.',
  DELETED: 'Das Angebot wurde gelöscht. Die Fotos sind noch hier.',
  NO_PHOTOS:
    'Keines der Fotos ist brauchbar. Lesen Sie, was bei jedem steht, und ziehen Sie bessere als neuen Artikel herein.',
  DRAFT_UNKNOWN:
    'Der Entwurf wurde vor über einem Tag angefragt, und die Antwort kam nie. Suchen Sie ihn unter Ihren Angeboten, bevor Sie diese Fotos noch einmal hereinziehen.',
  ALLOWANCE_USED:
    'Die Angebote dieses Monats sind verbraucht. Es wurde nichts geschrieben. Versuchen Sie es nach dem Monatswechsel oder mit einem größeren Tarif.',
  WOULD_BE_EXTRA:
    'Das nächste Angebot wäre ein bezahltes Extra und braucht erst Ihr Ja. Legen Sie unter „Konto“ welche zurück und versuchen Sie es dann noch einmal. Es wurde nichts geschrieben.',
  USAGE_LIMIT: 'Die Angebote dieses Monats sind verbraucht, deshalb wurde dieses nicht geschrieben.',
  IMAGES_UNREADABLE: 'Der Dienst konnte die Fotos nicht lesen. Ziehen Sie schärfere als neuen Artikel herein.',
  WRITING_FAILED: 'Beim Dienst ist das Schreiben fehlgeschlagen.',
  ASKED_AGAIN: 'Noch einmal zu schreiben verbraucht ein weiteres Angebot, deshalb wartet es auf Ihr Ja.',
};
