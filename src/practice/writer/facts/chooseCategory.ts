import { booksId, categories, findCategoryById, everythingElseId, type Category } from '../../market/taxonomy.ts';
import { foldCase, splitWords } from '../plainText.ts';
import type { Identifier } from './identifiers.ts';

type Keyword = { text: string; phrase: boolean; weight: number };

/** A star marks a weak keyword. A phrase has more weight than a word. */
const parseKeyword = (raw: string): Keyword => {
  const text = foldCase(raw.replace(/\*$/, ''));
  const phrase = /[^\p{L}\p{N}']/u.test(text);
  return { text, phrase, weight: raw.endsWith('*') ? 0.7 : phrase ? 1 + text.split(/\s+/).length : 2 };
};

const keywords = new Map(
  categories.map(({ id, keywords, nouns }) => {
    const all = [...keywords, ...(id === everythingElseId ? [] : Object.values(nouns))].map(parseKeyword);
    return [id, [...new Map(all.map((keyword) => [keyword.text, keyword])).values()]];
  }),
);

/** In German, Dutch and Swedish, a compound ends in its general word: "Holzspielzeug" is a kind of "Spielzeug". */
const isWordOrCompound = (word: string, keyword: string): boolean =>
  word === keyword || (keyword.length >= 6 && word.endsWith(keyword));

const listFoundKeywords = (text: string, { id }: Category): Keyword[] => {
  const words = splitWords(text)
    .map((word) => word.replace(/[.'-]+$/, ''))
    .flatMap((word) => [word, ...word.split('-')]);
  const joined = ` ${foldCase(text)
    .replace(/[^\p{L}\p{N}'.⅓:]+/gu, ' ')
    .replace(/[.:](?!\p{N})/gu, '')} `;
  const isFoundKeyword = ({ text, phrase }: Keyword): boolean =>
    phrase ? joined.includes(` ${text.replace(/[-/]/g, ' ')} `) : words.some((word) => isWordOrCompound(word, text));
  return keywords.get(id)?.filter(isFoundKeyword) ?? [];
};

const scoreCategory = (text: string, category: Category): number =>
  listFoundKeywords(text, category).reduce((sum, { weight }) => sum + weight, 0);

/** Returns whether a text names an item of the category. */
export const mentionsCategory = (text: string, category: Category): boolean =>
  listFoundKeywords(text, category).some(({ weight }) => weight >= 2);

export const mentionsAnyCategory = (text: string): boolean =>
  categories.some((category) => mentionsCategory(text, category));

const forWomen = /\b(women'?s?|ladies|damen|femme|donna|mujer|dames|damski\w*|dam)\b/;
const forMen = /\b(men'?s?|gents|herren|homme|uomo|hombre|heren|meski\w*|herr)\b/;
/** Each category for women is followed by the one for men. */
const genderedCategories = ['3001', '3002', '3003', '3004'];

const chooseCategoryForGender = (category: Category, text: string): Category => {
  const at = genderedCategories.indexOf(category.id);
  const folded = foldCase(text);
  const offset = forWomen.test(folded) ? 0 : forMen.test(folded) ? 1 : undefined;
  if (at < 0 || offset === undefined) return category;
  return findCategoryById(genderedCategories[at - (at % 2) + offset] ?? '') ?? category;
};

type CategoryEvidence = {
  seller: string;
  /** A clause of `seller`. Its words therefore also count as part of `seller`. */
  headline: string;
  printed: string;
  heading: string;
  identifiers: readonly Identifier[];
};

/** One normal keyword on the item is enough, but one weak keyword is not. */
const minScore = 1.8;

/** Returns the category with the highest score, or "everything else" if all scores are too low. */
export const chooseCategory = ({ seller, headline, printed, heading, identifiers }: CategoryEvidence): Category => {
  const isBook = identifiers.some(({ kind }) => kind === 'isbn');
  const scored = categories.map((category) => ({
    category,
    score:
      2 * scoreCategory(seller, category) +
      scoreCategory(headline, category) +
      scoreCategory(printed, category) +
      0.5 * scoreCategory(heading, category) +
      (isBook && category.id === booksId ? 12 : 0),
  }));
  const best = scored.reduce((top, entry) => (entry.score > top.score ? entry : top));
  const fallback = findCategoryById(everythingElseId) ?? best.category;
  return best.score >= minScore ? chooseCategoryForGender(best.category, `${seller}\n${printed}`) : fallback;
};
