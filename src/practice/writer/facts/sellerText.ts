import type { Condition } from '../../market/category.ts';
import { foldCase, splitClauses, splitWords, normaliseSpaces } from '../plainText.ts';
import { languages, type Language } from '../../market/languages.ts';
import { categories } from '../../market/taxonomy.ts';
import texts from '../texts.json' with { type: 'json' };
import patterns from './patterns.json' with { type: 'json' };
import { colourNames, materialNames, findKnownBrand, wordPatterns } from './vocabulary.ts';
import { parseDetails } from './details.ts';
import { findLabelledBrand } from './printedText.ts';
import { mentionsAnyCategory } from './chooseCategory.ts';

/** The first pattern that matches decides. The patterns have no accents, because accents are removed from the text. */
const conditionPatterns = Object.entries(patterns.conditions).map(
  ([condition, words]) => [condition as Condition, new RegExp(`\\b(${words})\\b`)] as const,
);

/**
 * These phrases are removed before the condition is searched: "no scratches" does not mean scratched, "New York" does
 * not mean new, and "brand:" does not mean brand new.
 */
const misleading =
  /\b(no|not|without|never|keine?n?|ohne|nicht|sans|aucune?|pas|senza|non|nessun\w*|sin|ningun\w*|geen|zonder|niet|bez|nie|inga|ingen|utan|inte)\s+(any\s+)?(scratch\w*|scratched|broken|chip\w*|crack\w*|stain\w*|torn|tear\w*|worn|new|neu\w*|neuf|nuov\w+|nuev\w+|nieuw|kratzer|risse|defekt\w*|beschadigt|kaputt|uszkodz\w+|repor|krassen|graffi|rayures?|aranazos)\b|\bnew (york|zealand|balance|orleans|jersey|age|wave|testament)\b|\bbrand\s*[:=]/g;

/** Returns the condition that the seller states, or undefined. */
export const findStatedCondition = (words: string): Condition | undefined => {
  const text = foldCase(words).replace(misleading, ' ');
  return conditionPatterns.find(([, pattern]) => pattern.test(text))?.[0];
};

const namesInAllLanguages = [
  ...categories.map(({ nouns }) => nouns),
  ...colourNames.values(),
  ...materialNames.values(),
];
const languageWords = languages.map((language) => {
  const words = [texts.commonWords[language], ...namesInAllLanguages.map((local) => local[language])].join(' ');
  return { language, known: new Set(words.split(/\s+/).map(foldCase)) };
});

/** Returns the languages with the most known words, or none if no word is known. */
const detectLanguages = (text: string): Language[] => {
  const words = splitWords(text);
  const scores = languageWords.map(({ known }) => words.filter((word) => known.has(word)).length);
  const best = Math.max(1, ...scores);
  return languages.filter((_language, at) => scores[at] === best);
};

const namePattern = "(\\p{Lu}[\\p{L}.'’-]*(?:\\s(?:van|von|de|der|la|le|da|di|\\p{Lu}[\\p{L}.'’-]*)){1,4})";
const quoted = /[“„«"]([^”“»"<>\n]{2,80})[”“»"]/u;
const byLine = new RegExp(`(?<!\\p{L})(?:by|von|par|di|av|door)\\s${namePattern}`, 'u');
const titleBy = new RegExp(`^([\\p{Lu}\\p{N}][^,.;<>\\n]{1,70}?)\\s(?:by|von|par|di|av|door)\\s${namePattern}`, 'u');

const findFirstMatch = (text: string, ...patterns: readonly RegExp[]): string | undefined => {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
  return found && normaliseSpaces(found);
};

const findNumber = (text: string, pattern: RegExp): number | undefined =>
  Number(pattern.exec(text)?.slice(1).find(Boolean)) || undefined;

/** Skips a clause about the condition, unless the clause also names an item. */
const findHeadline = (clauses: readonly string[], aboutCondition: readonly string[]): string | undefined => {
  const clause = clauses.find((each) => !aboutCondition.includes(each) || mentionsAnyCategory(each)) ?? '';
  const count = splitWords(clause).length;
  const fits = count >= 1 && count <= 12 && clause.length <= 72;
  return fits && !wordPatterns.label.test(clause) && !/[<>{}\\]|:\/\//.test(clause) ? clause : undefined;
};

export const findSetSize = (text: string): number | undefined => findNumber(text, wordPatterns.set);

const maxWordsLength = 5000;

/** Parses facts from the seller's words. No word is followed as an instruction. */
export const parseSellerText = (spoken: string) => {
  const words = spoken.slice(0, maxWordsLength).split('\n').map(normaliseSpaces).join('\n').trim();
  const clauses = splitClauses(words);
  const conditionClauses = clauses.filter(
    (clause) => wordPatterns.aboutCondition.test(foldCase(clause)) || findStatedCondition(clause) !== undefined,
  );
  const forBuyers = clauses.filter((clause) => !wordPatterns.price.test(clause));
  return {
    words,
    details: parseDetails(words),
    languages: detectLanguages(words),
    workTitle: findFirstMatch(words, wordPatterns.title, quoted, titleBy),
    brand: findLabelledBrand(words) ?? findKnownBrand(words),
    author: findFirstMatch(words, wordPatterns.author, byLine),
    condition: findStatedCondition(words),
    conditionClauses,
    // Buyers do not see the seller's price.
    forBuyers,
    headline: findHeadline(forBuyers.slice(0, 2), conditionClauses),
    quantity: findNumber(words, wordPatterns.quantity),
  };
};

export type SellerText = ReturnType<typeof parseSellerText>;
