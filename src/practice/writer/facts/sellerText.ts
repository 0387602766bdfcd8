import type { Condition } from '../../market/category.ts';
import { clausesOf, fold, tokensOf, tidy } from '../plainText.ts';
import { languages, type Language } from '../../market/languages.ts';
import { categories } from '../../market/taxonomy.ts';
import { colourNames, materialNames, knownBrandIn } from './vocabulary.ts';
import { parseDetails, type Details } from './details.ts';
import { statedBrandIn } from './printedText.ts';
import { namesAnyCategory } from './chooseCategory.ts';

// Tried in this order; written without accents, as the words are folded before.
const conditionPatterns: readonly (readonly [Condition, RegExp])[] = [
  [
    'FOR_PARTS',
    /\b(broken|for parts|not working|(does not|doesn't|don't) work|faulty|defekt|kaputt|ersatzteil\w*|pour pieces|ne fonctionne pas|en panne|per ricambi|non funziona|guasto|para piezas|no funciona|averiad[oa]|voor onderdelen|werkt niet|uszkodzon\w+|na czesci|nie dziala|trasig|fungerar inte|for delar)\b/,
  ],
  [
    'LIKE_NEW',
    /\b(like new|as new|as good as new|nearly new|almost new|wie neu|neuwertig|fast neu|comme neuf|comme neuve|come nuov[oa]|como nuev[oa]|zo goed als nieuw|als nieuw|jak now\w+|som ny|nyskick)\b/,
  ],
  [
    'NEW_OTHER',
    /\b(open box|opened box|box (is )?(damaged|opened)|never (used|worn|played|opened and used)|unused|unworn|new without (tags|box)|nie (?:benutzt|getragen|gebraucht)|ungebraucht|unbenutzt|ungetragen|jamais (utilise|porte)e?|mai usat[oa]|sin (usar|estrenar)|ongebruikt|ongedragen|nieuzywan\w+|oanvand)\b/,
  ],
  [
    'NEW',
    /\b(brand new|new in box|new with tags|nwt|bnib|factory sealed|sealed|unopened|still in (its |the )?(box|wrapping|plastic)|shrink ?wrapped|originalverpackt|ovp|nagelneu|fabrikneu|ungeoffnet|neu|neues|neuer|neue|neuf|neuve|sous blister|nuov[oa]|sigillat[oa]|nuev[oa]|precintad[oa]|nieuwe?|verzegeld|nowy|nowa|nowe|fabrycznie zapakowan\w+|ny|nytt|nya|oppnad ej|new)\b/,
  ],
  [
    'USED_ACCEPTABLE',
    /\b(acceptable|heavily used|well used|well worn|worn out|very worn|poor condition|fair condition|scratched|chipped|cracked|torn|stained|akzeptabel|stark gebraucht|gebrauchsspuren|zerkratzt|beschadigt|etat (moyen|correct|acceptable)|raye|abime|ebreche|usurat[oa]|graffiat[oa]|scheggiat[oa]|desgastad[oa]|aranad[oa]|gebruikssporen|beschadigd|zuzyt\w+|porysowan\w+|slit[et]n?|repig)\b/,
  ],
  [
    'USED_EXCELLENT',
    /\b(excellent|mint|very good|great condition|perfect condition|immaculate|top ?zustand|sehr gut\w*|einwandfrei|hervorragend\w*|tres bon|excellente?|parfait etat|ottim[oe]|perfette condizioni|excelente|muy buen\w*|perfecto estado|uitstekend\w*|zeer goed\w*|idealn\w+|bardzo dobr\w+|utmarkt|mycket bra|mycket gott)\b/,
  ],
  [
    'USED_GOOD',
    /\b(used|second ?hand|pre-?owned|good condition|worn|played|read once|gebraucht\w*|guter zustand|occasion|bon etat|usat[oa]|buon\w* (stato|condizion\w+)|usad[oa]|buen estado|gebruikt|goede staat|tweedehands|uzywan\w+|dobry stan|stan dobry|begagnad|gott skick|bra skick)\b/,
  ],
];

// "No scratches" is not scratched, "New York" is not new, and what is wanted new is not what is sold.
const misleading =
  /\b(no|not|without|never|keine?n?|ohne|nicht|sans|aucune?|pas|senza|non|nessun\w*|sin|ningun\w*|geen|zonder|niet|bez|nie|inga|ingen|utan|inte)\s+(any\s+)?(scratch\w*|scratched|broken|chip\w*|crack\w*|stain\w*|torn|tear\w*|worn|new|neu\w*|neuf|nuov\w+|nuev\w+|nieuw|kratzer|risse|defekt\w*|beschadigt|kaputt|uszkodz\w+|repor|krassen|graffi|rayures?|aranazos)\b|\bnew (york|zealand|balance|orleans|jersey|age|wave|testament)\b|\bbrand\s*[:=]/g;

const conditionWords =
  /\b(condition|zustand|etat|condizion\w+|estado|staat|stan|skick|scratch\w*|chip\w*|crack\w*|stain\w*|tear|torn|missing|dent\w*|mark|marks|faded|yellowed|worn|wear|works?|working|tested|smoke[- ]?free|kratzer|risse?|fleck\w*|fehlt|fehlen|getestet|funktioniert|gebrauchsspuren|rayures?|eclat|taches?|manque|fonctionne|graffi\w*|macchi\w+|manca|funziona|aranazos?|manchas?|falta|funciona|krassen?|vlek\w*|ontbreekt|werkt|rysy|plam\w+|brak\w*|dziala|repor|flack\w*|saknas|fungerar)\b/;

/** The condition that the person's words tell, if they tell one. */
export const conditionIn = (words: string): Condition | undefined => {
  const text = fold(words).replace(misleading, ' ');
  return conditionPatterns.find(([, sign]) => sign.test(text))?.[0];
};

/** What the person said about marks, faults and working order, in their own words. */
const conditionClausesIn = (words: string): string[] =>
  clausesOf(words).filter((clause) => {
    const text = fold(clause);
    return conditionWords.test(text) || conditionPatterns.some(([, sign]) => sign.test(text.replace(misleading, ' ')));
  });

const stopwords: Readonly<Record<Language, string>> = {
  en: 'the a an and with of in is it has for from not very only one two my was used condition size new',
  de: 'der die das ein eine nie noch wie und mit von im ist hat für aus nicht sehr nur ohne mein war größe zustand neu sehr',
  fr: 'le la les un une et avec de du des est pour pas très sans mon ma taille état neuf neuve bon',
  it: 'il lo la gli un una e con di del della è per non molto senza mio mia taglia stato nuovo nuova',
  es: 'el la los las un una y con de del es para no muy sin mi talla estado nuevo nueva',
  nl: 'de het een en met van in is heeft voor uit niet zeer zonder mijn maat staat nieuw erg',
  pl: 'i z w na jest nie bardzo bez mój moja rozmiar stan nowy nowa używany dla od',
  sv: 'en ett och med av i är har för från inte mycket utan min mitt storlek skick ny nytt',
};

const languageWords = new Map<Language, Set<string>>(
  languages.map((language) => [
    language,
    new Set(
      [
        ...stopwords[language].split(' '),
        ...[
          ...categories.map(({ nouns }) => nouns),
          ...Object.values(colourNames),
          ...Object.values(materialNames),
        ].flatMap((local) => local[language].split(/\s+/)),
      ].map(fold),
    ),
  ]),
);

/** The languages that a text may be in, judged by its words; none when no word is known. */
const detectLanguages = (text: string): Language[] => {
  const tokens = tokensOf(text);
  const scores = languages.map((language) => ({
    language,
    score: tokens.filter((token) => languageWords.get(language)?.has(token)).length,
  }));
  const best = Math.max(...scores.map(({ score }) => score));
  return best === 0 ? [] : scores.filter(({ score }) => score === best).map(({ language }) => language);
};

const namePattern = "(\\p{Lu}[\\p{L}.'’-]*(?:\\s(?:van|von|de|der|la|le|da|di|\\p{Lu}[\\p{L}.'’-]*)){1,4})";
const authorLabel = /(?<!\p{L})(?:author|autor|auteur|autore|författare|artist|artista)\s*[:=]\s*([^,.;\n<>]{3,50})/iu;
const titleLabel = /(?<!\p{L})(?:title|titel|titre|titolo|título|tytuł)\s*[:=]\s*([^;\n<>]{2,80}?)(?=[.,;\n]|$)/iu;
const quoted = /[“„«"]([^”“»"<>\n]{2,80})[”“»"]/u;
const byLine = new RegExp(`(?<!\\p{L})(?:by|von|par|di|av|door)\\s${namePattern}`, 'u');
const titleBy = new RegExp(`^([\\p{Lu}\\p{N}][^,.;<>\\n]{1,70}?)\\s(?:by|von|par|di|av|door)\\s${namePattern}`, 'u');

const firstMatch = (text: string, ...patterns: readonly RegExp[]): string | undefined => {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
  return found ? tidy(found) : undefined;
};

/** Title and author of a book, record or game, as somebody would say them: “The Hobbit” by J.R.R. Tolkien. */
const workIn = (words: string): { title?: string; author?: string } => {
  const title = firstMatch(words, titleLabel, quoted, titleBy);
  const author = firstMatch(words, authorLabel, byLine);
  return { ...(title && { title }), ...(author && { author }) };
};

/** What the person said about the item. */
export type SellerText = {
  words: string;
  details: Details;
  /** The languages it may have been said in; none when that cannot be told. */
  languages: Language[];
  /** The title of a book, record or game, when said. */
  workTitle?: string;
  brand?: string;
  author?: string;
  condition?: Condition;
  conditionClauses: string[];
  /** Clauses that a buyer may read: not what the seller hopes to get for it. */
  forBuyers: string[];
  /** The clause that says what the item is. */
  headline?: string;
  /** How many there are of it, when said. */
  quantity?: number;
};

const pricePattern =
  /[€$£]|\b(?:usd|eur|gbp|chf|sek|pln|kr|zł|price|asking|at least|minimum|min\.|preis|mindestens|prix|prezzo|precio|prijs|cena|pris)\b/iu;

const quantityPattern =
  /(?:\b(?:i have|there are|quantity|qty|stück|menge|quantité|quantità|cantidad|aantal|ilość|antal)\s*[:=]?\s*)(\d{1,3})\b(?!\s?(?:%|€|\$|cm|mm|gb|ml))/iu;
const setPattern =
  /\b(?:set|lot|bundle|pack|satz|konvolut|jeu|serie|juego|zestaw)\s+(?:of|von|mit|de|di|van|med)?\s*(\d{1,3})\b(?!\s?(?:ml|cl|l|oz|g|kg|cm|mm|gb|tb|w)\b)|(?<![\p{L}\p{N}])(\d{1,2})\s?(?:er[- ]set|-piece set)/iu;
const numberIn = (text: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(text);
  const number = Number(found?.[1] ?? found?.[2]);
  return Number.isInteger(number) && number > 0 ? number : undefined;
};

const labels =
  'brand|marke|marque|marca|merk|marka|märke|model|modell|modèle|modello|modelo|size|größe|taille|taglia|talla|maat|rozmiar|storlek|colou?r|farbe|couleur|colore|kleur|kolor|färg|author|autor|auteur|autore|författare|condition|zustand|état|quantity|menge|material|isbn|ean|upc|sku';
const isLabel = new RegExp(`^(?:${labels})\\s*[:=]`, 'iu');

// The first thing that is said is what the item is, unless it is how it is: "Used twice, works well".
const headlineOf = (clauses: readonly string[], aboutCondition: readonly string[]): string | undefined => {
  const clause = clauses.find((each) => !aboutCondition.includes(each) || namesAnyCategory(each));
  if (clause === undefined) return undefined;
  const count = tokensOf(clause).length;
  const fits = count >= 1 && count <= 12 && clause.length <= 72;
  return fits && !isLabel.test(clause) && !/[<>{}\\]|:\/\//.test(clause) ? clause : undefined;
};

/** How many pieces make up the one thing that is sold, when a text tells. */
export const setOfIn = (text: string): number | undefined => numberIn(text, setPattern);

// More than anybody says about one item; what is read here is read many times.
const longestWords = 5000;

/** Reads the person's words as facts; nothing in them is ever followed as an instruction. */
export const parseSellerText = (spoken: string): SellerText => {
  const words = spoken.slice(0, longestWords).split('\n').map(tidy).join('\n').trim();
  const work = workIn(words);
  const aboutCondition = conditionClausesIn(words);
  const forBuyers = clausesOf(words).filter((clause) => !pricePattern.test(clause));
  const brand = statedBrandIn(words) ?? knownBrandIn(words);
  const condition = conditionIn(words);
  const headline = headlineOf(forBuyers.slice(0, 2), aboutCondition);
  const quantity = numberIn(words, quantityPattern);
  return {
    words,
    details: parseDetails(words),
    languages: detectLanguages(words),
    conditionClauses: aboutCondition,
    forBuyers,
    ...(brand && { brand }),
    ...(work.author && { author: work.author }),
    ...(work.title && { workTitle: work.title }),
    ...(condition && { condition }),
    ...(headline && { headline }),
    ...(quantity && { quantity }),
  };
};
