import type { Words } from '../words.ts';

export const connect: Words['connect'] = {
  title: 'Mijn account verbinden',
  connect: 'Verbinden',
  back: 'Terug',
  lead: 'Sleep mappen met foto’s hierheen. Van elke map wordt een aanbieding geschreven. U kijkt die na, en zonder uw akkoord wordt er niets gepubliceerd of betaald.',
  lookAround: 'Eerst rondkijken',
  lookAroundText: 'Op deze computer draait een oefenomgeving. Geen account, geen geld, en niets verlaat de computer.',
  practice: 'Proberen met oefengegevens',
  forReal: 'Echt verkopen',
  forRealText: 'Met het e-mailadres van uw account bij de dienst; hebt u er geen, dan wordt er gratis een aangemaakt.',
  email: 'E-mail',
  emailHelp: 'Het adres van uw account. Is er nog geen account, dan wordt er gratis een aangemaakt.',
  emailNext:
    'Er gaat een code van 6 cijfers naartoe. U kunt de voorwaarden en het privacybeleid lezen voordat u de code invoert.',
  sendCode: 'Code e-mailen',
  code: 'Code van 6 cijfers',
  codeHelp: 'Eén keer te gebruiken, 10 minuten geldig.',
  newCode: 'Nieuwe code e-mailen',
  otherAddress: 'Ander adres gebruiken',
  terms:
    'Er is een code gestuurd naar <email/>. Door te verbinden gaat u akkoord met de <terms>voorwaarden</terms> en het <privacy>privacybeleid</privacy> van de dienst. Als er voor dit adres nog geen account is, wordt er gratis een aangemaakt.',
  tour: {
    name: 'Rondleiding',
    at: 'Stap {{at}} van {{of}}',
    dropTitle: 'Foto’s slepen',
    drop: 'Sleep een map met foto’s naar een willekeurige plek in dit venster. Elke map wordt één artikel, en van de foto’s wordt een aanbieding geschreven.',
    lookTitle: 'Nakijken',
    look: 'Een geschreven artikel wacht onder Artikelen op uw controle. Wijzig wat niet klopt; er staat nog niets online.',
    yesTitle: 'Eén akkoord',
    yes: 'Voordat er iets wordt gepubliceerd of betaald, ziet u in één overzicht wat het is en wat het kost. Pas na uw akkoord daar wordt het verstuurd.',
    back: 'Terug',
    next: 'Volgende',
    done: 'Klaar',
    skip: 'Rondleiding overslaan',
  },
};
