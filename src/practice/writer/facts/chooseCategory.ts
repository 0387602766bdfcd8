import { booksId, categories, findCategoryById, everythingElseId, type Category } from '../../market/taxonomy.ts';
import { fold, tokensOf } from '../plainText.ts';
import type { Identifier } from './identifiers.ts';

type Keyword = { text: string; phrase: boolean; weight: number };

const keywordOf = (raw: string): Keyword => {
  const text = fold(raw.replace(/\*$/, ''));
  const phrase = /[^\p{L}\p{N}']/u.test(text);
  return { text, phrase, weight: raw.endsWith('*') ? 0.7 : phrase ? 1 + text.split(/\s+/).length : 2 };
};

const keywords = new Map<string, Keyword[]>(
  categories.map((category) => {
    const own = [...category.keywords, ...(category.id === everythingElseId ? [] : Object.values(category.nouns))];
    const each = new Map(own.map((raw) => [fold(raw.replace(/\*$/, '')), keywordOf(raw)]));
    return [category.id, [...each.values()]];
  }),
);

// "Holzspielzeug" is a kind of "Spielzeug": in German, Dutch and Swedish the last part names the thing.
const holds = (tokens: readonly string[], joined: string, { text, phrase }: Keyword): boolean =>
  phrase
    ? ` ${joined} `.includes(` ${text.replace(/[-/]/g, ' ')} `)
    : tokens.some(
        (token) => token === text || (text.length >= 6 && token.length > text.length && token.endsWith(text)),
      );

const keywordsIn = (text: string, category: Category): Keyword[] => {
  const tokens = tokensOf(text)
    .map((token) => token.replace(/[.'-]+$/, ''))
    .flatMap((token) => [token, ...(token.includes('-') ? token.split('-') : [])]);
  const joined = fold(text)
    .replace(/[^\p{L}\p{N}'.⅓:]+/gu, ' ')
    .replace(/[.:](?!\p{N})/gu, '');
  return keywords.get(category.id)?.filter((keyword) => holds(tokens, joined, keyword)) ?? [];
};

const scoreOf = (text: string, category: Category): number =>
  keywordsIn(text, category).reduce((sum, { weight }) => sum + weight, 0);

/** Whether a text says in so many words that the thing is of this category. */
export const namesCategory = (text: string, category: Category): boolean =>
  keywordsIn(text, category).some(({ weight }) => weight >= 2);

/** Whether a text says what the thing is, whatever that may be. */
export const namesAnyCategory = (text: string): boolean => categories.some((category) => namesCategory(text, category));

const forWomen = /\b(women'?s?|ladies|damen|femme|donna|mujer|dames|damski\w*|dam)\b/;
const forMen = /\b(men'?s?|gents|herren|homme|uomo|hombre|heren|meski\w*|herr)\b/;

// Shoes and clothes are the same words for everybody; who they are for is said apart.
const counterparts: readonly (readonly [women: string, men: string])[] = [
  ['3001', '3002'],
  ['3003', '3004'],
];

const forWhom = (category: Category, text: string): Category => {
  const pair = counterparts.find((ids) => ids.includes(category.id));
  if (!pair) return category;
  const folded = fold(text);
  const id = forWomen.test(folded) ? pair[0] : forMen.test(folded) ? pair[1] : category.id;
  return findCategoryById(id) ?? category;
};

/** Texts about an item, by where they come from. */
export type Evidence = {
  seller: string;
  /** The clause that says what it is counts more than what is told about it. */
  headline: string;
  printed: string;
  /** The largest writing on the item. */
  heading: string;
  identifiers: readonly Identifier[];
};

// One sure word read on the item is enough; a weak one alone is not.
const enough = 1.8;

/** The category that most of what is known points to, or "everything else" when little does. */
export const chooseCategory = ({ seller, headline, printed, heading, identifiers }: Evidence): Category => {
  const isBook = identifiers.some(({ kind }) => kind === 'isbn');
  const scored = categories.map((category) => ({
    category,
    score:
      2 * scoreOf(seller, category) +
      1 * scoreOf(headline, category) +
      1 * scoreOf(printed, category) +
      0.5 * scoreOf(heading, category) +
      (isBook && category.id === booksId ? 12 : 0),
  }));
  const best = scored.reduce((top, entry) => (entry.score > top.score ? entry : top));
  const fallback = findCategoryById(everythingElseId) ?? best.category;
  return best.score >= enough ? forWhom(best.category, `${seller}\n${printed}`) : fallback;
};
