import type { Condition } from '../../market/category.ts';
import { foldCase, splitClauses, splitWords, normaliseSpaces } from '../plainText.ts';
import { languages, type Language } from '../../market/languages.ts';
import { categories } from '../../market/taxonomy.ts';
import texts from '../texts.json' with { type: 'json' };
import { colourNames, materialNames, findKnownBrand } from './vocabulary.ts';
import { parseDetails, type Details } from './details.ts';
import { findLabelledBrand } from './printedText.ts';
import { mentionsAnyCategory } from './chooseCategory.ts';

/**
 * The first pattern that matches decides. The patterns contain no accents, because accents are removed from the text
 * first.
 */
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

/**
 * These phrases are removed before the condition is searched: "no scratches" does not mean scratched, "New York" does
 * not mean new, and "brand:" does not mean brand new.
 */
const misleading =
  /\b(no|not|without|never|keine?n?|ohne|nicht|sans|aucune?|pas|senza|non|nessun\w*|sin|ningun\w*|geen|zonder|niet|bez|nie|inga|ingen|utan|inte)\s+(any\s+)?(scratch\w*|scratched|broken|chip\w*|crack\w*|stain\w*|torn|tear\w*|worn|new|neu\w*|neuf|nuov\w+|nuev\w+|nieuw|kratzer|risse|defekt\w*|beschadigt|kaputt|uszkodz\w+|repor|krassen|graffi|rayures?|aranazos)\b|\bnew (york|zealand|balance|orleans|jersey|age|wave|testament)\b|\bbrand\s*[:=]/g;

const conditionWords =
  /\b(condition|zustand|etat|condizion\w+|estado|staat|stan|skick|scratch\w*|chip\w*|crack\w*|stain\w*|tear|torn|missing|dent\w*|mark|marks|faded|yellowed|worn|wear|works?|working|tested|smoke[- ]?free|kratzer|risse?|fleck\w*|fehlt|fehlen|getestet|funktioniert|gebrauchsspuren|rayures?|eclat|taches?|manque|fonctionne|graffi\w*|macchi\w+|manca|funziona|aranazos?|manchas?|falta|funciona|krassen?|vlek\w*|ontbreekt|werkt|rysy|plam\w+|brak\w*|dziala|repor|flack\w*|saknas|fungerar)\b/;

/** Returns the condition that the seller states, or undefined. */
export const findStatedCondition = (words: string): Condition | undefined => {
  const text = foldCase(words).replace(misleading, ' ');
  return conditionPatterns.find(([, pattern]) => pattern.test(text))?.[0];
};

const languageWords = new Map(
  languages.map((language) => {
    const names = [...categories.map(({ nouns }) => nouns), ...colourNames.values(), ...materialNames.values()];
    const words = [texts.commonWords[language], ...names.map((local) => local[language])].join(' ');
    return [language, new Set(words.split(/\s+/).map(foldCase))];
  }),
);

/** Returns the languages with the most known words, or none if no word is known. */
const detectLanguages = (text: string): Language[] => {
  const words = splitWords(text);
  const scores = [...languageWords].map(([language, known]) => ({
    language,
    score: words.filter((word) => known.has(word)).length,
  }));
  const best = Math.max(1, ...scores.map(({ score }) => score));
  return scores.filter(({ score }) => score === best).map(({ language }) => language);
};

const namePattern = "(\\p{Lu}[\\p{L}.'’-]*(?:\\s(?:van|von|de|der|la|le|da|di|\\p{Lu}[\\p{L}.'’-]*)){1,4})";
const authorLabel = /(?<!\p{L})(?:author|autor|auteur|autore|författare|artist|artista)\s*[:=]\s*([^,.;\n<>]{3,50})/iu;
const titleLabel = /(?<!\p{L})(?:title|titel|titre|titolo|título|tytuł)\s*[:=]\s*([^;\n<>]{2,80}?)(?=[.,;\n]|$)/iu;
const quoted = /[“„«"]([^”“»"<>\n]{2,80})[”“»"]/u;
const byLine = new RegExp(`(?<!\\p{L})(?:by|von|par|di|av|door)\\s${namePattern}`, 'u');
const titleBy = new RegExp(`^([\\p{Lu}\\p{N}][^,.;<>\\n]{1,70}?)\\s(?:by|von|par|di|av|door)\\s${namePattern}`, 'u');

const findFirstMatch = (text: string, ...patterns: readonly RegExp[]): string | undefined => {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
  return found && normaliseSpaces(found);
};

export type SellerText = {
  words: string;
  details: Details;
  languages: Language[];
  workTitle: string | undefined;
  brand: string | undefined;
  author: string | undefined;
  condition: Condition | undefined;
  conditionClauses: string[];
  /** The clauses that buyers may read. They do not contain the seller's price. */
  forBuyers: string[];
  headline: string | undefined;
  quantity: number | undefined;
};

const pricePattern =
  /[€$£]|\b(?:usd|eur|gbp|chf|sek|pln|kr|zł|price|asking|at least|minimum|min\.|preis|mindestens|prix|prezzo|precio|prijs|cena|pris)\b/iu;

const quantityPattern =
  /(?:\b(?:i have|there are|quantity|qty|stück|menge|quantité|quantità|cantidad|aantal|ilość|antal)\s*[:=]?\s*)(\d{1,3})\b(?!\s?(?:%|€|\$|cm|mm|gb|ml))/iu;
const setPattern =
  /\b(?:set|lot|bundle|pack|satz|konvolut|jeu|serie|juego|zestaw)\s+(?:of|von|mit|de|di|van|med)?\s*(\d{1,3})\b(?!\s?(?:ml|cl|l|oz|g|kg|cm|mm|gb|tb|w)\b)|(?<![\p{L}\p{N}])(\d{1,2})\s?(?:er[- ]set|-piece set)/iu;

const findNumber = (text: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(text);
  return Number(found?.[1] ?? found?.[2]) || undefined;
};

const labels =
  'brand|marke|marque|marca|merk|marka|märke|model|modell|modèle|modello|modelo|size|größe|taille|taglia|talla|maat|rozmiar|storlek|colou?r|farbe|couleur|colore|kleur|kolor|färg|author|autor|auteur|autore|författare|condition|zustand|état|quantity|menge|material|isbn|ean|upc|sku';
const isLabel = new RegExp(`^(?:${labels})\\s*[:=]`, 'iu');

/** Skips a clause about the condition, unless the clause also names an item. */
const findHeadline = (clauses: readonly string[], aboutCondition: readonly string[]): string | undefined => {
  const clause = clauses.find((each) => !aboutCondition.includes(each) || mentionsAnyCategory(each)) ?? '';
  const count = splitWords(clause).length;
  const fits = count >= 1 && count <= 12 && clause.length <= 72;
  return fits && !isLabel.test(clause) && !/[<>{}\\]|:\/\//.test(clause) ? clause : undefined;
};

export const findSetSize = (text: string): number | undefined => findNumber(text, setPattern);

const maxWordsLength = 5000;

/** Parses facts from the seller's words. No word is followed as an instruction. */
export const parseSellerText = (spoken: string): SellerText => {
  const words = spoken.slice(0, maxWordsLength).split('\n').map(normaliseSpaces).join('\n').trim();
  const clauses = splitClauses(words);
  const conditionClauses = clauses.filter(
    (clause) => conditionWords.test(foldCase(clause)) || findStatedCondition(clause) !== undefined,
  );
  const forBuyers = clauses.filter((clause) => !pricePattern.test(clause));
  return {
    words,
    details: parseDetails(words),
    languages: detectLanguages(words),
    workTitle: findFirstMatch(words, titleLabel, quoted, titleBy),
    brand: findLabelledBrand(words) ?? findKnownBrand(words),
    author: findFirstMatch(words, authorLabel, byLine),
    condition: findStatedCondition(words),
    conditionClauses,
    forBuyers,
    headline: findHeadline(forBuyers.slice(0, 2), conditionClauses),
    quantity: findNumber(words, quantityPattern),
  };
};
