import type { Words } from '../words.ts';

export const help: Words['help'] = {
  title: 'Help',
  guide: 'Zo werkt het',
  photosTitle: 'Van foto’s naar aanbieding',
  photos:
    'Sleep een map met foto’s naar het venster; elke map wordt één artikel. De foto’s worden op deze computer gedraaid, verkleind en ontdaan van locatie- en cameragegevens, en dan verstuurd. De dienst schrijft er titel, beschrijving, categorie en prijs bij. Uw eigen bestanden worden nooit gewijzigd.',
  reviewTitle: 'Uw controle',
  review:
    'Een geschreven artikel wacht onder Artikelen. Lees het door en wijzig wat niet klopt; wat de marketplace nog nodig heeft, staat bij het veld. Er staat nog niets online.',
  yesTitle: 'Eén akkoord',
  yes: 'Bij het publiceren ziet u in één overzicht de foto, de prijs en de kosten van de marketplace. De aanbieding gaat pas online na uw akkoord daar. Wordt het artikel verkocht, dan krijgt u een melding.',
  neverTitle: 'Wat nooit zonder uw akkoord gebeurt',
  never:
    'Publiceren, een online aanbieding wijzigen of beëindigen, verwijderen, een tekst opnieuw laten schrijven, extra’s aanzetten of reserveren, een betaalpagina openen, beleid en standaardwaarden wijzigen, verbindingen verbreken en een bericht naar de dienst sturen. Elk daarvan wordt u apart gevraagd, en alleen u kunt antwoorden.',
  assistantsTitle: 'Assistenten',
  assistants:
    'AI-assistenten op deze computer kunnen via de Companion werken zodra u ze toelaat. Ze kunnen foto’s toevoegen, aanbiedingen laten schrijven, concepten bewerken en om de rest vragen. Ze kunnen niet akkoord gaan, uw sleutel niet zien, geen betaalpagina openen en niet over uw limieten heen. Alles wat ze doen, staat onder Assistenten.',
  keyTitle: 'Uw sleutel en de oefenomgeving',
  key: 'De sleutel van uw account zit in de sleutelhanger van deze computer en nergens anders; geen assistent en geen logboek krijgt hem ooit. De oefenomgeving draait alleen op deze computer: geen account, geen geld, en niets verlaat de computer. Probeer alles daar eerst.',
  tour: 'Rondleiding tonen',
  keys: 'Sneltoetsen',
  trouble: 'Als er iets niet werkt',
  offline: 'Geen verbinding',
  offlineText: 'Een regel bovenaan meldt het, en wat er nog wel kan. Hij verdwijnt vanzelf; er gaat niets verloren.',
  stopped: 'Een artikel staat stil',
  stoppedText: 'Open het: u ziet dan waarom, en wat de volgende stap is.',
  reconnect: 'De dienst kent de Companion niet meer',
  reconnectText: 'Maak opnieuw verbinding onder <account>Account</account>. Artikelen en aanbiedingen blijven bewaard.',
  diagnostics: 'Iemand helpt u',
  diagnosticsText:
    'Logboeken en een diagnosebestand vindt u onder <settings>Instellingen</settings>. Lees het bestand voordat u het verstuurt.',
  contact: 'Schrijven aan de dienst',
  contactText: 'Uw bericht gaat naar de mensen van de dienst. U ziet het nog een keer voordat het wordt verstuurd.',
  reply: 'Antwoord aan',
  replyWrong: 'Vul voor het antwoord een e-mailadres in.',
  message: 'Bericht',
  messageWrong: 'Wat wilt u zeggen?',
  send: 'Versturen…',
  waits: 'Het wacht op uw akkoord.',
  notSent: 'Het is niet verstuurd. Wat u schreef, staat er nog.',
  sent: 'Verstuurd. Het antwoord komt per e-mail naar {{email}}.',
  notConnected: 'Maak eerst verbinding; daarna kunt u hier een bericht sturen.',
};
