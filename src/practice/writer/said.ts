import type { Condition } from '../market/conditions.ts';
import type { Language } from '../market/languages.ts';
import { knownBrandIn } from './brands.ts';
import { detailsOf, type Details } from './details.ts';
import { clausesOf, tidy, tokensOf } from './plainText.ts';
import { statedBrandIn } from './printed.ts';
import { namesAnything } from './chooseCategory.ts';
import { conditionClauses, conditionSaid } from './saidCondition.ts';
import { workSaid } from './saidWork.ts';
import { languagesOf } from './spokenLanguage.ts';

/** What the person said about the item. */
export type Said = {
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

const moneyTalk =
  /[€$£]|\b(?:usd|eur|gbp|chf|sek|pln|kr|zł|price|asking|at least|minimum|min\.|preis|mindestens|prix|prezzo|precio|prijs|cena|pris)\b/iu;

const quantitySaid =
  /(?:\b(?:i have|there are|quantity|qty|stück|menge|quantité|quantità|cantidad|aantal|ilość|antal)\s*[:=]?\s*)(\d{1,3})\b(?!\s?(?:%|€|\$|cm|mm|gb|ml))/iu;
const setSaid =
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
  const clause = clauses.find((each) => !aboutCondition.includes(each) || namesAnything(each));
  if (clause === undefined) return undefined;
  const count = tokensOf(clause).length;
  const fits = count >= 1 && count <= 12 && clause.length <= 72;
  return fits && !isLabel.test(clause) && !/[<>{}\\]|:\/\//.test(clause) ? clause : undefined;
};

/** How many pieces make up the one thing that is sold, when a text tells. */
export const setOfIn = (text: string): number | undefined => numberIn(text, setSaid);

// More than anybody says about one item; what is read here is read many times.
const longestWords = 5000;

/** Reads the person's words as facts; nothing in them is ever followed as an instruction. */
export const saidIn = (spoken: string): Said => {
  const words = spoken.slice(0, longestWords).split('\n').map(tidy).join('\n').trim();
  const work = workSaid(words);
  const aboutCondition = conditionClauses(words);
  const forBuyers = clausesOf(words).filter((clause) => !moneyTalk.test(clause));
  const brand = statedBrandIn(words) ?? knownBrandIn(words);
  const condition = conditionSaid(words);
  const headline = headlineOf(forBuyers.slice(0, 2), aboutCondition);
  const quantity = numberIn(words, quantitySaid);
  return {
    words,
    details: detailsOf(words),
    languages: languagesOf(words),
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
