import type { Words } from '../saying.ts';

export const problems: Words['problems'] = {
  ACCESS_FILE_UNREADABLE:
    'Im Datenordner ist assistants-access.log keine lesbare Datei. Verschieben Sie sie an einen anderen Ort und starten Sie neu: Alle Assistenten pausieren dann.',
  ALREADY_RUNNING: 'Der Companion läuft mit diesem Datenordner schon.',
  APPROVAL_EXPIRED: 'Es wurde nicht rechtzeitig geantwortet. Fragen Sie noch einmal, wenn es weiter gewünscht ist.',
  APPROVAL_WITHDRAWN: 'Diese Anfrage wurde zurückgezogen.',
  BROKEN_OFF: 'Das Hochladen wurde abgebrochen.',
  'BUDGET_SPENT.publishes': 'Dieser Assistent darf {{most}} Angebote am Tag veröffentlichen, und die sind verbraucht.',
  'BUDGET_SPENT.money': 'Das wäre mehr, als dieser Assistent an einem Tag ausgeben darf.',
  CANCELLED: 'Abgebrochen.',
  'COMPANION_AWAY.before':
    'Der Companion läuft hier nicht mehr. Starten Sie ihn wieder, und öffnen Sie seinen neuen Link; was Sie hier sehen, ist vielleicht nicht mehr aktuell.',
  'COMPANION_AWAY.during':
    'Der Companion endete, bevor er geantwortet hat. Sehen Sie nach, was geschehen ist, bevor Sie es noch einmal versuchen.',
  CONNECTION_IS_THE_PERSONS: 'Das Konto verbinden Sie selbst im Companion. Öffnen Sie ihn dafür.',
  BACKUP_UNKNOWN: 'Eine vollständige Kopie mit diesem Namen gibt es nicht. Wählen Sie eine aus der Liste.',
  DATA_DAMAGED:
    'Die Daten des Companion sind beschädigt. Beenden und starten Sie ihn neu: Er wird dann aus der neuesten Kopie zusammengesetzt.',
  DATA_UNWRITABLE: 'In den Datenordner kann nicht geschrieben werden. Wählen Sie mit --data einen anderen.',
  DESKTOP_ONLY: 'Das kann nur die Desktop-App; hier läuft der Companion im Browser.',
  DRAFT_STARTED:
    'Der Entwurf von „{{name}}“ ist beim Dienst schon angelegt. Verbinden Sie stattdessen die anderen mit diesem Artikel.',
  EXTRAS_IN_FLIGHT:
    'Es werden schon so viele Extra-Angebote geschrieben, wie Sie freigegeben haben. Versuchen Sie es wieder, wenn eines davon fertig ist.',
  EXTRAS_UNAVAILABLE: 'In Ihrem Tarif gibt es keine Extra-Angebote.',
  FIVE_AT_A_TIME:
    'Es werden schon {{most}} Angebote geschrieben. Versuchen Sie es wieder, wenn eines davon fertig ist.',
  FOLDER_NOT_ALLOWED: 'Dieser Ordner ist nicht erlaubt. Erlauben lässt er sich im Companion unter Assistenten.',
  INTAKE_FAILED: 'Ein Foto kam nicht ganz an. Ziehen Sie es noch einmal herein.',
  INTAKE_MISSING: 'Ein hereingezogenes Foto ist nicht mehr da. Ziehen Sie es noch einmal herein.',
  INTERNAL: 'Im Companion ist etwas schiefgegangen. Es wurde nichts gesendet; bitte versuchen Sie es noch einmal.',
  'INVALID_INPUT.field': '{{field}} kann so nicht verwendet werden: {{why}}.',
  'INVALID_INPUT.whole': 'Die Eingabe kann so nicht verwendet werden: {{why}}.',
  'INVALID_REQUEST.batchSize': 'Eine gemeinsame Frage nimmt 2 bis {{most}} Anfragen auf.',
  'INVALID_REQUEST.batchListings': 'Eine gemeinsame Frage nimmt Anfragen zu Angeboten auf. Senden Sie andere einzeln.',
  'INVALID_REQUEST.batchTwice': 'Eine gemeinsame Frage nimmt eine Anfrage je Angebot auf.',
  'INVALID_REQUEST.mostPhotos': 'Ein Artikel wird aus höchstens {{most}} Fotos.',
  'INVALID_REQUEST.mostFolders': 'Es lassen sich höchstens {{most}} Ordner erlauben.',
  'INVALID_REQUEST.wholePath': 'Geben Sie den ganzen Pfad an, von der Wurzel an.',
  'INVALID_REQUEST.wholeFolder': 'Geben Sie den ganzen Pfad des Ordners an.',
  'INVALID_REQUEST.nothingNamed': 'Nennen Sie einen Ordner oder die Pfade von Fotos.',
  'KEYCHAIN_FAILED.absent':
    'Hier läuft kein Schlüsselbund; installieren und starten Sie GNOME-Schlüsselbund oder KWallet, damit der Schlüssel bleibt.',
  'KEYCHAIN_FAILED.locked':
    'Der Schlüsselbund des Systems ist gesperrt oder noch leer; entsperren Sie ihn oder legen Sie einen an, und starten Sie den Companion dann neu, damit der Schlüssel bleibt.',
  'KEYCHAIN_FAILED.silent':
    'Der Schlüsselbund des Systems antwortet nicht; entsperren Sie ihn, und starten Sie den Companion dann neu, damit der Schlüssel bleibt.',
  'KEYCHAIN_FAILED.noBus':
    'Diese Sitzung hat kein D-Bus, deshalb ist der Schlüsselbund des Systems nicht zu erreichen; starten Sie den Companion aus Ihrer Desktop-Sitzung, damit der Schlüssel bleibt.',
  'KEYCHAIN_FAILED.other':
    'Der Schlüsselbund des Systems ist nicht zu benutzen; prüfen Sie, ob er entsperrt ist, und starten Sie den Companion dann neu, damit der Schlüssel bleibt.',
  LAST_PHOTO:
    'Ein Artikel braucht mindestens ein Foto. Entfernen Sie den Artikel selbst oder fügen Sie erst andere hinzu.',
  LINK_REFUSED: 'Nur https-Adressen werden geöffnet.',
  LOGS_NOT_SHOWN: 'Der Ordner der Protokolle ließ sich nicht öffnen; es ist {{dir}}.',
  LINK_OUTSIDE: 'Das ist eine Verknüpfung, die aus dem Ordner hinausführt; sie wurde weggelassen.',
  'MISSING_PATH.dropped': '„{{name}}“ ist nicht mehr da. Ziehen Sie es noch einmal herein.',
  'MISSING_PATH.asked': 'Eine solche Datei oder einen solchen Ordner gibt es nicht.',
  LINK_ENDED: 'Der Companion wurde seitdem neu gestartet. Öffnen Sie den Link dieses Starts: Sein Terminal zeigt ihn.',
  LINK_MISSING:
    'Der Companion öffnet sich mit seinem Link, den das Terminal beim Start zeigt. Ist er in einem anderen Tab dieses Browsers offen, gehen Sie zu jenem Tab: Dann öffnet sich dieser von selbst.',
  LINK_USED:
    'Mit diesem Link wurde der Companion schon geöffnet. Wenn Sie das waren, machen Sie in dem Tab weiter, in dem er geöffnet wurde. Wenn nicht, hat vielleicht jemand anders an diesem Computer den Companion geöffnet: Beenden Sie ihn in seinem Terminal, und starten Sie ihn neu. Dann gibt es einen neuen Link, und wer diesen benutzt hat, ist ausgesperrt.',
  NEEDS_NO_YES: 'Das braucht kein Ja. Senden Sie es einzeln.',
  DISK_FULL:
    'Die Festplatte ist voll, deshalb konnte dies nicht gespeichert werden. Schaffen Sie Platz und versuchen Sie es noch einmal; nichts ist verloren.',
  NEWER_DATABASE:
    'Dieser Datenordner wurde von einer neueren Version des Companions geschrieben. Bitte installieren Sie diese.',
  NOTHING_TO_SPLIT: 'Das sind alle Fotos des Artikels. Wählen Sie einige davon.',
  NOTHING_TO_UNDO: 'Es gibt keine Änderung zurückzunehmen.',
  'NOT_ALLOWED.asks': 'Der Dienst möchte, dass erst gefragt wird.',
  'NOT_ALLOWED.read': 'Dieser Assistent darf nur ansehen. Mehr lässt sich im Companion unter Assistenten erlauben.',
  'NOT_ALLOWED.draft':
    'Dieser Assistent darf nur ansehen und an Entwürfen arbeiten. Tun Sie es selbst, oder erlauben Sie im Companion unter Assistenten mehr.',
  NOT_A_COUNT: 'Nur eine Zahl von Extras lässt sich verringern.',
  NOT_A_PHOTO: 'Das ist kein Foto.',
  'NOT_A_PHOTO.type': 'Das ist kein Foto vom Typ {{type}}.',
  NOT_BUILT: 'Das Fenster ist noch nicht gebaut; führen Sie erst „npm run build“ aus.',
  NOT_CONNECTED: 'Verbinden Sie erst Ihr Konto.',
  NOT_DONE:
    'Der Dienst hat nicht geantwortet, und Nachlesen zeigt, dass nichts geschehen ist. Sie können noch einmal fragen.',
  NOT_FOR_ASSISTANTS: 'Der Dienst lässt das Assistenten nicht mehr tun.',
  'NOT_FOUND.approval': 'Diese Frage gibt es nicht.',
  'NOT_FOUND.assistant': 'Diesen Assistenten gibt es nicht mehr.',
  'NOT_FOUND.barcode': 'Kein Foto dieses Artikels zeigt diesen Strichcode.',
  'NOT_FOUND.batch': 'Diese gemeinsame Frage gibt es nicht.',
  'NOT_FOUND.item': 'Diesen Artikel gibt es nicht mehr.',
  'NOT_FOUND.itemOfYours': 'Einen solchen eigenen Artikel gibt es nicht.',
  'NOT_FOUND.pairing': 'Diese Kopplung gibt es nicht.',
  'NOT_FOUND.photo': 'Dieses Foto gibt es nicht mehr.',
  'NOT_FOUND.atService': 'Der Dienst kennt das nicht mehr.',
  NOT_INSTALLED: 'Diese Kopie aktualisiert sich nicht selbst. Eine neuere Version gibt es dort, woher Sie diese haben.',
  NOT_LOWER: 'Wählen Sie eine kleinere Zahl als die angefragte.',
  NOT_SETTLED: 'Diese Frage ist noch offen. Ihr Beleg ist da, sobald sie abgeschlossen ist.',
  NOT_WHAT_WAS_SHOWN: 'Dieses Ja gilt nicht dem, was gezeigt wurde. Bitte sehen Sie noch einmal hin.',
  NOT_YOUR_LISTING: 'Dieser Assistent darf nur mit Angeboten arbeiten, die er selbst gemacht hat.',
  'NO_ANSWER.read': 'Der Dienst hat nicht geantwortet. Bitte versuchen Sie es gleich noch einmal.',
  'NO_ANSWER.write': 'Der Dienst hat nicht geantwortet; ob die Anfrage ankam, ist nicht bekannt.',
  NO_PHOTOS: 'Es gibt noch kein vorbereitetes Foto zum Ziehen.',
  'NO_PHOTOS_FOUND.dropped': 'Darin sind keine Fotos. Ziehen Sie einen Ordner mit Fotos oder die Fotos selbst herein.',
  'NO_PHOTOS_FOUND.links': 'Darin sind keine Fotos. {{left}}',
  'NO_PHOTOS_FOUND.onlyLinks': 'Darin sind keine Fotos, nur Verknüpfungen, die aus dem Ordner hinausführen.',
  'NO_PHOTOS_FOUND.asked': 'Darin sind keine Fotos.',
  NO_PRACTICE: 'Übungsdaten gibt es nur mit dem Übungsdienst.',
  OFFER_OVER: 'Diese Seite wird nicht mehr angeboten. Bitten Sie den Assistenten, es noch einmal zu versuchen.',
  PAIRING_OVER: 'Diese Anfrage ist vorbei. Bitten Sie den Assistenten, es noch einmal zu versuchen.',
  PERSON_DECLINED: 'Das wurde abgelehnt. Fragen Sie nur noch einmal, wenn es gewünscht wird.',
  PHOTO_REFUSED: 'Dieses Foto ist nicht brauchbar.',
  PHOTO_TOO_LARGE: 'Ein Foto darf höchstens 64 MiB haben.',
  'PHOTOS_UNREADABLE.away':
    'Die Fotos dieses Angebots ließen sich nicht laden. Prüfen Sie die Internetverbindung und versuchen Sie es noch einmal.',
  'PHOTOS_UNREADABLE.broken':
    'Ein Foto dieses Angebots lässt sich nicht öffnen. Entfernen Sie es oder laden Sie es neu hoch, dann versuchen Sie es noch einmal.',
  PUBLISH_BLOCKED: 'Es fehlt noch etwas, bevor das veröffentlicht werden kann.',
  RATE_CHANGED: 'Ein Extra-Angebot kostet jetzt {{rate}}. Fragen Sie mit diesem Preis noch einmal.',
  RECONNECT_NEEDED: 'Der Dienst kennt diesen Companion nicht mehr. Verbinden Sie ihn neu.',
  REFUSED: 'Der Dienst hat die Anfrage abgelehnt.',
  SERVICE_FAULT: 'Der Dienst hat gerade eine Störung. Bitte versuchen Sie es gleich noch einmal.',
  SERVICE_UNREACHABLE:
    'Der Dienst ist nicht zu erreichen. Prüfen Sie die Internetverbindung; es wurde nichts gesendet.',
  SLOW_DOWN: 'Das geschah gerade erst. Es immer wieder zu tun ist nicht erlaubt.',
  STANDING_UNKNOWN: 'Das Kontingent konnte nicht gelesen werden.',
  SUPERSEDED: 'Was gezeigt wurde, gilt nicht mehr. Sehen Sie noch einmal hin, bevor Sie fragen.',
  TOO_LARGE: 'Diese Datei ist größer als 250 MB und wurde übergangen.',
  'TOO_LATE.photos':
    'Die Fotos dieses Artikels sind schon beim Dienst und lassen sich nicht mehr ordnen. Ändern Sie das Angebot selbst, wenn es geschrieben ist.',
  'TOO_LATE.note': 'Der Entwurf ist schon angelegt. Ändern Sie das Angebot selbst, wenn es geschrieben ist.',
  TOO_MANY_PAIRINGS: 'Zu viele Assistenten möchten zugelassen werden. Beantworten Sie erst diese.',
  TOO_MANY_PHOTOS: 'Ein Angebot nimmt höchstens {{most}} Fotos.',
  TOO_MANY_REQUESTS: 'Der Dienst bittet, vor dem nächsten Versuch zu warten.',
  TOO_MANY_UPLOADS: 'Es kommen zu viele Fotos auf einmal an. Senden Sie dieses gleich noch einmal.',
  'TOO_MANY_WAITING.questions': 'Zu viele Fragen warten schon. Beantworten Sie erst einige davon.',
  'TOO_MANY_WAITING.lists': 'Eine andere gemeinsame Frage wartet schon. Beantworten Sie erst diese.',
  UNCONFIRMED:
    'Der Dienst hat nicht geantwortet. Der Companion sieht nach, ob es geschehen ist; gesendet wird es nicht noch einmal.',
  'UNCONFIRMED.unknowable':
    'Der Dienst hat nicht geantwortet, und er kann nicht gefragt werden, ob es geschehen ist. Gesendet wird es nicht noch einmal; bitte dort nachsehen, bevor es noch einmal verlangt wird.',
  'UNEXPECTED_ANSWER.large': 'Der Dienst hat mit mehr geantwortet, als der Companion auf einmal annimmt.',
  'UNEXPECTED_ANSWER.strange': 'Der Dienst hat so geantwortet, dass diese Version des Companions es nicht versteht.',
  UNKNOWN_CALL: 'Das Fenster hat etwas verlangt, das der Companion nicht kann.',
  UNKNOWN_ROUTE: 'Das gibt es beim Dienst nicht.',
  UNREADABLE_PHOTO: 'Dieses Foto lässt sich nicht lesen.',
  UPLOAD_ADDRESS: 'Der Dienst hat zum Hochladen eine Adresse genannt, die nicht sicher ist.',
  UPLOAD_CLOSED: 'Diese Adresse zum Hochladen gilt nicht mehr. Fragen Sie eine neue an.',
  UPLOAD_FAILED:
    'Ein Foto ließ sich nicht hochladen. Prüfen Sie die Internetverbindung und versuchen Sie es noch einmal.',
  UPLOAD_REFUSED:
    'Der Dienst hat ein Foto nicht angenommen. Versuchen Sie es noch einmal: Dann wird eine neue Adresse zum Hochladen angefragt.',
  UPLOAD_SLOTS: 'Der Dienst hat weniger Adressen zum Hochladen genannt, als es Fotos sind.',
  UPLOAD_TYPE: 'Diese Adresse zum Hochladen nimmt {{type}}, genau wie angefragt.',
  'INVALID_CODE.wrong':
    'Dieser Code ist falsch, abgelaufen oder wurde schon benutzt. Sehen Sie in der neuesten E-Mail nach, oder beginnen Sie für einen neuen Code von vorn.',
  'INVALID_CODE.usedUp':
    'Dieser Code ist falsch, abgelaufen oder wurde schon benutzt. Diese Anmeldung ist verbraucht; beginnen Sie für einen neuen Code von vorn.',
  AGENT_KEY_LIMIT:
    'Dieses Konto hat so viele verbundene Assistenten, wie es haben darf. Trennen Sie in den Web-Einstellungen einen, und versuchen Sie es dann noch einmal.',
  ACCOUNT_BUSY: 'Das Konto wird gerade eingerichtet. Versuchen Sie es gleich noch einmal.',
  ACCOUNT_UNAVAILABLE: 'Diese Adresse lässt sich gerade nicht verwenden.',
  'WRONG_STATE.draft':
    'Dieses Angebot ist noch nicht geschrieben. Veröffentlichen lässt es sich, wenn es geschrieben und geprüft ist.',
  'WRONG_STATE.processing':
    'Dieses Angebot wird gerade geschrieben. Veröffentlichen lässt es sich, wenn das fertig ist.',
  'WRONG_STATE.published': 'Dieses Angebot ist schon live.',
  'WRONG_STATE.ended': 'Dieses Angebot ist beendet. Stellen Sie es wieder ein, um es noch einmal zu veröffentlichen.',
  'WRONG_STATE.sold': 'Dieses Angebot ist verkauft.',
  'WRONG_STATE.failed':
    'Dieses Angebot zu schreiben ist fehlgeschlagen. Versuchen Sie das vor dem Veröffentlichen noch einmal.',
  'WRONG_STATE.notLive': 'Dieses Angebot ist nicht live, also gibt es auf dem Marktplatz nichts zu ändern.',
  'WRONG_STATE.notToEnd': 'Dieses Angebot ist nicht live und lässt sich deshalb nicht beenden.',
  'WRONG_STATE.notToEdit':
    'Dieses Angebot ist oder war live und lässt sich so nicht bearbeiten. Ändern Sie stattdessen das laufende Angebot.',
  'WRONG_STATE.notToDelete': 'Ein Angebot, das live ist oder war, lässt sich nicht löschen.',
  'WRONG_STATE.notToWrite':
    'Nur ein Entwurf lässt sich schreiben. Nehmen Sie ein fehlgeschlagenes Angebot erst zurück.',
  BEING_DECIDED:
    'Über dieses Angebot wird gerade entschieden. Versuchen Sie es in einigen Sekunden erneut; es wurde nichts gesendet.',
  PHOTOS_UPLOADING: 'Fotos dieses Angebots werden gerade hochgeladen. Fragen Sie erneut, wenn sie da sind.',
  TAKEN_BACK: 'Das Ja wurde rechtzeitig zurückgenommen. Es wurde nichts gesendet.',
  ALREADY_ASKED: 'Das wird bereits einzeln gefragt.',
  'APPROVAL_WITHDRAWN.paused': 'Der Assistent, der fragte, wurde angehalten; die Anfrage ist zurückgezogen.',
  'APPROVAL_WITHDRAWN.revoked': 'Der Assistent, der fragte, wurde entfernt; die Anfrage ist zurückgezogen.',
  'APPROVAL_WITHDRAWN.account': 'Ein anderes Konto wurde verbunden; die Anfrage ist zurückgezogen.',
  ACCOUNT_CHANGED: 'Es ist ein anderes Konto verbunden als das, für das gefragt wurde. Es wurde nichts gesendet.',
  ASSISTANT_PAUSED: 'Dieser Assistent wurde angehalten. Fragen Sie die Person, bevor es weitergeht.',
  'BUDGET_SPENT.unknown':
    'Die Gebühr war nicht zu ermitteln, und dieser Assistent hat ein Geldlimit am Tag. Fragen Sie erneut, wenn sie sich ermitteln lässt.',
  EXTRAS_OFF: 'Zusatzangebote sind ausgeschaltet. Sie werden zuerst eingeschaltet, mit einem eigenen Ja.',
  EXTRAS_APPROVAL_REQUIRED:
    'Dieses Angebot wäre ein bezahltes Zusatzangebot, und dafür ist keines freigegeben. Bitten Sie die Person zuerst um eine Freigabe.',
  'INVALID_REQUEST.unknownField': '„{{field}}“ ist kein Feld dieser Anfrage. Lassen Sie es weg und senden Sie erneut.',
};
