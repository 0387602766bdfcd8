import { parseTexts, findLocalisedText, findKnownLanguage } from '../market/languages.ts';
import { conditionNames, type Condition } from '../market/category.ts';
import { booksId, everythingElseId } from '../market/taxonomy.ts';
import { titledCategories, type Facts } from './facts/facts.ts';
import { capitalised, escapeHtml } from './plainText.ts';

/** The sentences of a description, in every language the writer knows; `{…}` is filled in. */
const phrases = {
  offered: parseTexts(
    'You are looking at: {what}.|Angeboten wird: {what}.|À vendre : {what}.|In vendita: {what}.|Se vende: {what}.|Te koop: {what}.|Na sprzedaż: {what}.|Till salu: {what}.',
  ),
  seePhotos: parseTexts('see photos|siehe Fotos|voir photos|vedi foto|ver fotos|zie foto’s|patrz zdjęcia|se bilder'),
  by: parseTexts('by {who}|von {who}|de {who}|di {who}|de {who}|van {who}|– {who}|av {who}'),
  details: parseTexts('Details|Einzelheiten|Détails|Dettagli|Detalles|Details|Szczegóły|Detaljer'),
  readOnIt: parseTexts(
    'Printed on it: {lines}.|Aufschrift: {lines}.|Inscriptions : {lines}.|Scritte presenti: {lines}.|Texto impreso: {lines}.|Opschrift: {lines}.|Napisy: {lines}.|Text på varan: {lines}.',
  ),
  condition: parseTexts('Condition|Zustand|État|Condizioni|Estado|Staat|Stan|Skick'),
  conditionSeen: parseTexts(
    'Condition as the photos show it; please look at all of them.|Zustand wie auf den Fotos zu sehen; bitte alle Fotos ansehen.|État visible sur les photos ; merci de toutes les regarder.|Condizioni come da foto; si prega di guardarle tutte.|Estado según se ve en las fotos; por favor, míralas todas.|Staat zoals te zien op de foto’s; bekijk ze allemaal.|Stan taki jak na zdjęciach; prosimy obejrzeć wszystkie.|Skick enligt bilderna; titta gärna på alla.',
  ),
  sellerSays: parseTexts(
    'From the seller|Angaben des Verkäufers|Précisions du vendeur|Dal venditore|Del vendedor|Van de verkoper|Od sprzedawcy|Från säljaren',
  ),
  quantity: parseTexts(
    'Quantity available: {count}|Verfügbare Anzahl: {count}|Quantité disponible : {count}|Quantità disponibile: {count}|Cantidad disponible: {count}|Beschikbaar aantal: {count}|Dostępna liczba sztuk: {count}|Tillgängligt antal: {count}',
  ),
  setOf: parseTexts(
    'set of {count}|{count}er-Set|lot de {count}|set di {count}|juego de {count}|set van {count}|zestaw {count} szt.|set om {count}',
  ),
  notKnown: parseTexts(
    'What the photos do not show|Was die Fotos nicht zeigen|Ce que les photos ne montrent pas|Cosa non si vede nelle foto|Lo que las fotos no muestran|Wat de foto’s niet tonen|Czego nie widać na zdjęciach|Vad bilderna inte visar',
  ),
  noBrand: parseTexts(
    'No brand could be read on the item.|Eine Marke war auf dem Artikel nicht zu erkennen.|Aucune marque n’a pu être lue sur l’article.|Sull’articolo non è leggibile alcuna marca.|No se ha podido leer ninguna marca en el artículo.|Er is geen merk op het artikel te lezen.|Na przedmiocie nie udało się odczytać marki.|Inget märke kunde läsas på varan.',
  ),
  noType: parseTexts(
    'What exactly it is cannot be told for certain from the photos.|Um was es sich genau handelt, lässt sich an den Fotos nicht sicher erkennen.|Les photos ne permettent pas de dire avec certitude de quoi il s’agit.|Dalle foto non è possibile stabilire con certezza di cosa si tratti.|Las fotos no permiten decir con certeza de qué se trata.|Op de foto’s is niet met zekerheid te zien wat het precies is.|Na podstawie zdjęć nie można z pewnością określić, co to jest.|Bilderna visar inte säkert exakt vad det är.',
  ),
  noSize: parseTexts(
    'The size could not be read.|Die Größe war nicht abzulesen.|La taille n’a pas pu être lue.|La taglia non è leggibile.|No se ha podido leer la talla.|De maat was niet af te lezen.|Nie udało się odczytać rozmiaru.|Storleken kunde inte läsas.',
  ),
  noTest: parseTexts(
    'Whether it works cannot be seen in photos; it was not tested.|Ob es funktioniert, ist auf Fotos nicht zu sehen; es wurde nicht geprüft.|Le fonctionnement ne se voit pas sur des photos ; il n’a pas été testé.|Il funzionamento non si vede nelle foto; non è stato provato.|En las fotos no se ve si funciona; no se ha probado.|Of het werkt is op foto’s niet te zien; het is niet getest.|Na zdjęciach nie widać, czy działa; nie sprawdzano.|Om den fungerar syns inte på bilder; den är inte testad.',
  ),
  noPages: parseTexts(
    'The pages inside were not checked one by one.|Die Seiten wurden nicht einzeln geprüft.|Les pages n’ont pas été vérifiées une à une.|Le pagine non sono state controllate una per una.|No se han comprobado las páginas una por una.|De pagina’s zijn niet één voor één gecontroleerd.|Stron nie sprawdzano po kolei.|Sidorna har inte kontrollerats en för en.',
  ),
  noCount: parseTexts(
    'Whether all parts are there was not counted.|Die Vollständigkeit wurde nicht nachgezählt.|L’intégralité du contenu n’a pas été vérifiée.|La completezza non è stata verificata.|No se ha comprobado que esté completo.|Of alles compleet is, is niet nageteld.|Nie sprawdzono kompletności.|Om allt är komplett har inte räknats.',
  ),
  noMaterial: parseTexts(
    'The material and the exact measurements are not known.|Material und genaue Maße sind nicht bekannt.|La matière et les dimensions exactes ne sont pas connues.|Il materiale e le misure esatte non sono noti.|No se conocen el material ni las medidas exactas.|Materiaal en exacte maten zijn niet bekend.|Materiał i dokładne wymiary nie są znane.|Material och exakta mått är inte kända.',
  ),
  asPhotographed: parseTexts(
    'Anything not named here is sold as the photos show it. Please ask if you need to know more.|Was hier nicht genannt ist, wird wie abgebildet verkauft. Bei Fragen bitte melden.|Tout ce qui n’est pas précisé ici est vendu tel que photographié. N’hésitez pas à poser vos questions.|Quanto non indicato si intende venduto come da foto. Per domande sono a disposizione.|Lo que no se indica aquí se vende tal como aparece en las fotos. Pregunta lo que necesites saber.|Wat hier niet staat, wordt verkocht zoals op de foto’s. Stel gerust je vragen.|Wszystko, czego tu nie podano, sprzedawane jest tak jak na zdjęciach. W razie pytań proszę o kontakt.|Det som inte nämns här säljs som på bilderna. Fråga gärna om du undrar något.',
  ),
} as const;

/** The name of a sentence. */
type Phrase = keyof typeof phrases;

/** A phrase in a language with its blanks filled. */
export const phraseIn = (
  phrase: Phrase,
  language: string,
  blanks: Readonly<Record<string, string | number>> = {},
): string =>
  findLocalisedText(phrases[phrase], language).replace(/\{(\w+)\}/g, (_, blank: string) => String(blanks[blank] ?? ''));

type Parts = {
  title: string;
  language: string;
  quantity: number;
  condition: Condition;
  itemSpecifics: Readonly<Record<string, string>>;
};

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
const heading = (text: string): string => `<h3>${escapeHtml(text)}</h3>`;
const list = (entries: readonly string[]): string => `<ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;

const details = ({ itemSpecifics, language }: Parts): string[] => {
  const entries = Object.entries(itemSpecifics).map(
    ([name, value]) => `<strong>${escapeHtml(name)}:</strong> ${escapeHtml(value)}`,
  );
  return entries.length > 0 ? [heading(phraseIn('details', language)), list(entries)] : [];
};

// Quoted, so that a buyer can tell what stands on the item from what is said about it.
const readOnIt = ({ printed }: Facts, language: string): string[] => {
  const lines = printed.lines
    .filter(({ text }) => text.length >= 3 && text.length <= 60)
    .slice(0, 5)
    .map(({ text }) => `“${text}”`);
  return lines.length > 0 ? [paragraph(phraseIn('readOnIt', language, { lines: lines.join(', ') }))] : [];
};

const condition = ({ seller }: Facts, { condition, language }: Parts): string[] => [
  heading(phraseIn('condition', language)),
  paragraph(
    [conditionNames[condition][findKnownLanguage(language)], ...seller.conditionClauses]
      .map(capitalised)
      .join('. ')
      .replace(/\.*$/, '.'),
  ),
  paragraph(phraseIn('conditionSeen', language)),
];

const sellerSays = ({ seller }: Facts, language: string): string[] => {
  const clauses = seller.forBuyers.filter((clause) => !seller.conditionClauses.includes(clause));
  return clauses.length > 0
    ? [heading(phraseIn('sellerSays', language)), list(clauses.map(capitalised).map(escapeHtml))]
    : [];
};

const working = new Set(['electronics']);
const sized = new Set(['3001', '3002', '3003', '3004']);

/** What has to be said plainly because no photo can show it. */
const whatPhotosHide = (facts: Facts): Phrase[] => {
  const { category, brand, details, seller } = facts;
  const titled = titledCategories.has(category.id);
  const rules: readonly (readonly [Phrase, boolean])[] = [
    ['noType', category.id === everythingElseId],
    ['noBrand', !brand && !titled],
    ['noSize', sized.has(category.id) && !details.size],
    [
      'noTest',
      (working.has(category.group) || category.id === '4004') &&
        !/\b(works|working|tested|funktion|getestet|fonctionne|funziona|funciona|werkt|działa|fungerar)/iu.test(
          seller.words,
        ),
    ],
    ['noPages', category.id === booksId],
    ['noCount', ['5001', '5002', '5004'].includes(category.id) && seller.condition !== 'NEW'],
    ['noMaterial', category.group === 'home' && details.materials.length === 0],
  ];
  return rules.filter(([, applies]) => applies).map(([phrase]) => phrase);
};

const notKnown = (facts: Facts, language: string): string[] => {
  const sentences = whatPhotosHide(facts).map((phrase) => escapeHtml(phraseIn(phrase, language)));
  return sentences.length > 0 ? [heading(phraseIn('notKnown', language)), list(sentences)] : [];
};

/** The listing's description as HTML; texts from photos and from the person are escaped. */
export const composeDescription = (facts: Facts, parts: Parts): string => {
  const { title, language, quantity } = parts;
  return [
    paragraph(phraseIn('offered', language, { what: title })),
    ...(quantity > 1 ? [paragraph(phraseIn('quantity', language, { count: quantity }))] : []),
    ...details(parts),
    ...readOnIt(facts, language),
    ...condition(facts, parts),
    ...sellerSays(facts, language),
    ...notKnown(facts, language),
    paragraph(phraseIn('asPhotographed', language)),
  ].join('\n');
};
