import { toKnownLanguage } from '../market/languages.ts';
import type { SpecificKey } from '../market/category.ts';
import { getCategoryNoun, everythingElseId, getSpecificName, isConditionAccepted } from '../market/taxonomy.ts';
import { type Facts, titledCategories, type WritingTask } from './facts/facts.ts';
import { capitaliseFirstLetter } from './plainText.ts';
import { translateTerms } from './facts/vocabulary.ts';
import type { ListingNote } from './writer.ts';

/** Returns the item's type: the printed type in an English listing, else the category's noun. */
export const getItemType = ({ category, typeName }: Facts, language: string): string =>
  typeName && toKnownLanguage(language) === 'en' ? typeName : getCategoryNoun(category, language);

const buildKnownSpecifics = (facts: Facts, language: string): Partial<Record<SpecificKey, string>> => {
  const { category, identifiers, workTitle: title, author, printed, details } = facts;
  const { colours: _colours, materials, connectivity = '', features = '', format = '', ...otherDetails } = details;
  const lists = { connectivity, features, format, colour: facts.colours.join(', '), material: materials.join(', ') };
  const translated = Object.entries(lists).map(([key, terms]) => [key, translateTerms(terms, language)] as const);
  return {
    ...otherDetails,
    // Later entries replace earlier ones, so the reversed order keeps the first code of each kind.
    ...Object.fromEntries<string>([
      ...identifiers.toReversed().map(({ kind, code }) => [kind, code] as const),
      ...translated,
    ]),
    ...{ bookTitle: title, title, author, artist: author, publisher: printed.publisher, brand: facts.brand?.name },
    type: category.id === everythingElseId ? undefined : getItemType(facts, language),
  };
};

const commonSpecifics: readonly SpecificKey[] = ['isbn', 'ean', 'upc', 'material'];

/** Returns the known specifics of the category, by their names in the language. */
export const buildItemSpecifics = (facts: Facts, language: string): Record<string, string> => {
  const values = buildKnownSpecifics(facts, language);
  const keys = new Set([...facts.category.required, ...facts.category.recommended, ...commonSpecifics]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const value = values[key];
      return value ? [[getSpecificName(key, language), capitaliseFirstLetter(value).slice(0, 65)]] : [];
    }),
  );
};

export const createMissingSpecificNote = (key: SpecificKey, language: string): ListingNote => {
  const field = getSpecificName(key, language);
  const message = `This category needs “${field}”, and neither the photos nor your words tell it.`;
  return { field, message, blocks: true };
};

/** Returns a note if the quantity differs from the seller's words. */
export const buildQuantityNotes = ({ facts, quantity }: WritingTask): ListingNote[] => {
  const spoken = facts.seller.quantity ?? quantity;
  const message = `Your words say ${spoken}, the listing says ${quantity}. Please check which is right.`;
  return spoken === quantity ? [] : [{ field: 'quantity', message, blocks: false }];
};

const findBrandMessage = ({ brand, category }: Facts): string | undefined => {
  if (brand && !brand.sure) return `“${brand.name}” was read on the item and taken for its brand. Please check.`;
  if (brand || titledCategories.has(category.id) || category.required.includes('brand')) return undefined;
  return 'No brand could be read on the item. If it has one, please add it.';
};

const unknownType = 'What the item is could not be told for certain. Please choose a category.';
const refusedCondition = 'This category does not take items in this condition. Please say whether it is new.';
const assumedCondition = 'Nothing was said about the condition, so it was taken for used and good. Please check it.';

/** Returns the notes that tell the seller which facts are unknown or guessed. */
export const buildListingNotes = (task: WritingTask, condition: string): ListingNote[] => {
  const { facts, language } = task;
  const { category, seller } = facts;
  const values = buildKnownSpecifics(facts, language);
  const isRefused = !isConditionAccepted(category, condition);
  const messages = [
    [getSpecificName('brand', language), findBrandMessage(facts)],
    [getSpecificName('type', language), category.id === everythingElseId ? unknownType : undefined],
    ['condition', isRefused ? refusedCondition : seller.condition ? undefined : assumedCondition],
  ] as const;
  return [
    ...category.required.filter((key) => !values[key]).map((key) => createMissingSpecificNote(key, language)),
    ...messages.flatMap(([field, message]) =>
      message ? [{ field, message, blocks: message === refusedCondition }] : [],
    ),
    ...buildQuantityNotes(task),
  ];
};
