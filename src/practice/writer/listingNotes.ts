import { toKnownLanguage } from '../market/languages.ts';
import type { SpecificKey } from '../market/category.ts';
import { getCategoryNoun, everythingElseId, getSpecificName, isConditionAccepted } from '../market/taxonomy.ts';
import { type Facts, titledCategories } from './facts/facts.ts';
import { capitaliseFirstLetter } from './plainText.ts';
import { translateColour, translateMaterial, translateTerms } from './facts/vocabulary.ts';
import type { ListingNote } from './writer.ts';

type SpecificValues = Partial<Record<SpecificKey, string>>;

/** Returns the item's type: the printed type in an English listing, else the category's noun. */
export const getItemType = ({ category, typeName }: Facts, language: string): string =>
  typeName && toKnownLanguage(language) === 'en' ? typeName : getCategoryNoun(category, language);

const buildKnownSpecifics = (facts: Facts, language: string): SpecificValues => {
  const { category, identifiers, workTitle, author, printed } = facts;
  const { colours, materials, ...details } = facts.details;
  const translateIfKnown = (terms: string | undefined) => terms && translateTerms(terms, language);
  return {
    ...details,
    // Later entries replace earlier ones, so the reversed order keeps the first code of each kind.
    ...Object.fromEntries(identifiers.toReversed().map(({ kind, code }) => [kind, code])),
    connectivity: translateIfKnown(details.connectivity),
    features: translateIfKnown(details.features),
    format: translateIfKnown(details.format),
    brand: facts.brand?.name,
    type: category.id === everythingElseId ? undefined : getItemType(facts, language),
    colour: facts.colours.map((name) => translateColour(name, language)).join(', '),
    material: materials.map((name) => translateMaterial(name, language)).join(', '),
    bookTitle: workTitle,
    title: workTitle,
    author,
    artist: author,
    publisher: printed.publisher,
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

export const createListingNote = (field: string, message: string, blocks = false): ListingNote => ({
  field,
  message,
  blocks,
});

export const createMissingSpecificNote = (key: SpecificKey, language: string): ListingNote => {
  const name = getSpecificName(key, language);
  return createListingNote(name, `This category needs “${name}”, and neither the photos nor your words tell it.`, true);
};

/** Returns the notes about poor photos and about a quantity that differs from the seller's words. */
export const buildCommonNotes = ({ poorPhotos, photoCount, seller }: Facts, quantity: number): ListingNote[] => {
  const spoken = seller.quantity ?? quantity;
  const differs = `Your words say ${spoken}, the listing says ${quantity}. Please check which is right.`;
  const poor = `${poorPhotos} of ${photoCount} photos are too small or blurred to show much. Better ones help.`;
  return [
    ...(spoken !== quantity ? [createListingNote('quantity', differs)] : []),
    ...(poorPhotos > 0 ? [createListingNote('photos', poor)] : []),
  ];
};

const buildBrandNotes = ({ brand, category }: Facts, language: string): ListingNote[] => {
  const field = getSpecificName('brand', language);
  if (brand && !brand.sure)
    return [createListingNote(field, `“${brand.name}” was read on the item and taken for its brand. Please check.`)];
  if (brand || titledCategories.has(category.id) || category.required.includes('brand')) return [];
  return [createListingNote(field, 'No brand could be read on the item. If it has one, please add it.')];
};

const unknownType = 'What the item is could not be told for certain. Please choose a category.';
const refusedCondition = 'This category does not take items in this condition. Please say whether it is new.';
const assumedCondition = 'Nothing was said about the condition, so it was taken for used and good. Please check it.';

const buildConditionNotes = ({ seller, category }: Facts, condition: string): ListingNote[] => {
  if (!isConditionAccepted(category, condition)) return [createListingNote('condition', refusedCondition, true)];
  return seller.condition ? [] : [createListingNote('condition', assumedCondition)];
};

/** Returns the notes that tell the seller which facts are unknown or guessed. */
export const buildListingNotes = (
  facts: Facts,
  language: string,
  quantity: number,
  condition: string,
): ListingNote[] => {
  const values = buildKnownSpecifics(facts, language);
  const { category } = facts;
  return [
    ...category.required.filter((key) => !values[key]).map((key) => createMissingSpecificNote(key, language)),
    ...buildBrandNotes(facts, language),
    ...(category.id === everythingElseId ? [createListingNote(getSpecificName('type', language), unknownType)] : []),
    ...buildConditionNotes(facts, condition),
    ...buildCommonNotes(facts, quantity),
  ];
};
