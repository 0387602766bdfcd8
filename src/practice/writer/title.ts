import { toKnownLanguage } from '../market/languages.ts';
import { getCategoryNoun, everythingElseId } from '../market/taxonomy.ts';
import { titledCategories, type Facts, type WritingTask } from './facts/facts.ts';
import { formatPhrase } from './description.ts';
import { getItemType } from './listingNotes.ts';
import { capitaliseFirstLetter, truncateText, foldCase, removeMarkup } from './plainText.ts';
import { translateTerms } from './facts/vocabulary.ts';

/** Returns whether a text contains `words` as whole words, regardless of case and accents. */
const containsWords = (text: string, words: string): boolean => ` ${foldCase(text)} `.includes(` ${foldCase(words)} `);

const removeRepeatedParts = (parts: readonly (string | undefined)[]): string[] =>
  parts.reduce<string[]>((kept, raw) => {
    const part = removeMarkup(raw ?? '');
    return part === '' || containsWords(kept.join(' '), part) ? kept : [...kept, part];
  }, []);

const translateFirstTerm = (terms: string | undefined, language: string): string | undefined =>
  terms && translateTerms(terms.split(', ')[0] ?? '', language);

const composeWorkTitle = ({ facts, language, site }: WritingTask): string => {
  const { author, workTitle = '', category, details } = facts;
  const isNamed = author !== undefined && !foldCase(workTitle).includes(foldCase(author));
  const work = removeMarkup(isNamed ? `${workTitle} ${formatPhrase('by', language, { who: author })}` : workTitle);
  const kind = translateFirstTerm(details.format, language) ?? getCategoryNoun(category, language);
  const whole = `${work} – ${(category.id === '1005' && details.platform) || kind}`;
  return whole.length <= site.titleLength ? whole : truncateText(work, site.titleLength);
};

/** For example, "Orvanto headphones" adds nothing if the brand is Orvanto and the type is headphones. */
const addsToPrintedName = (name: string, { brand, details, typeName, modelName, category }: Facts): boolean => {
  const printed = [brand?.name, details.model, modelName, typeName, category.nouns.en].join(' ');
  const known = new Set(foldCase(printed).split(' '));
  const words = foldCase(name).split(' ');
  return words.some((word) => !known.has(word));
};

const findSellerName = (facts: Facts, language: string): string | undefined => {
  const { seller, category } = facts;
  if (!seller.headline || (facts.typeName && !addsToPrintedName(seller.headline, facts))) return undefined;
  const isClear = category.id !== everythingElseId || seller.headline.includes(' ');
  const isUnderstood = seller.languages.length === 0 || seller.languages.includes(toKnownLanguage(language));
  return isClear && isUnderstood ? capitaliseFirstLetter(removeMarkup(seller.headline)) : undefined;
};

const findPrintedName = ({ printed, brand, typeName, modelName }: Facts): string | undefined => {
  const heading = removeMarkup(printed.heading ?? '');
  const isKnown = [brand?.name, typeName, modelName].some((name) => name && foldCase(name) === foldCase(heading));
  return heading !== '' && heading.split(' ').length <= 7 && !isKnown ? heading : undefined;
};

const formatProductCode = ({ identifiers: [first] }: Facts): string | undefined =>
  first && `${first.kind.toUpperCase()} ${first.code}`;

const listTitleParts = (facts: Facts, language: string): string[] => {
  const { details, brand, category, colours, setOf } = facts;
  const own = findSellerName(facts, language);
  const name = own ?? findPrintedName(facts);
  const isUnknown = category.id === everythingElseId;
  const isWork = titledCategories.has(category.id);
  const isPartOfName = (text: string): boolean => foldCase(name ?? '').includes(foldCase(text));
  const type = own || isUnknown ? undefined : removeMarkup(getItemType(facts, language));
  const [material] = details.materials;
  const [colour] = isWork || (own && details.colours.length > 0) ? [] : colours;
  return removeRepeatedParts([
    brand && !isPartOfName(brand.name) ? brand.name : undefined,
    details.model && isPartOfName(details.model) ? undefined : (facts.modelName ?? details.model),
    name && !own && isUnknown && !brand ? `${getCategoryNoun(category, language)} “${name}”` : name,
    type && isPartOfName(type) ? undefined : type,
    details.storage,
    details.platform,
    translateFirstTerm(details.features, language),
    translateFirstTerm(details.connectivity, language),
    own || !material ? undefined : translateTerms(material, language),
    colour && translateTerms(colour, language),
    details.size && !own?.includes(details.size) ? details.size : undefined,
    isWork && !name ? formatProductCode(facts) : undefined,
    setOf && !own?.includes(String(setOf)) ? formatPhrase('setOf', language, { count: String(setOf) }) : undefined,
  ]);
};

const composeFallbackTitle = (facts: Facts, language: string): string => {
  const [colour] = facts.colours;
  const noun = getCategoryNoun(facts.category, language);
  const coloured = colour ? `${noun}, ${translateTerms(colour, language).toLowerCase()}` : noun;
  return `${coloured} – ${formatProductCode(facts) ?? formatPhrase('seePhotos', language)}`;
};

const isUnknownItem = ({ category, brand, seller, printed }: Facts): boolean =>
  category.id === everythingElseId && !brand && !seller.headline && !printed.heading;

/** Writes the title within the site's length limit, most important facts first. */
export const composeTitle = (task: WritingTask): string => {
  const { facts, language, site } = task;
  if (facts.workTitle) return composeWorkTitle(task);
  const parts = isUnknownItem(facts) ? [] : listTitleParts(facts, language);
  // Drop whole parts from the end, so that no part is cut.
  while (parts.length > 1 && parts.join(' ').length > site.titleLength) parts.pop();
  return truncateText(parts.join(' ') || composeFallbackTitle(facts, language), site.titleLength);
};
