import { findKnownLanguage } from '../market/languages.ts';
import type { SpecificKey } from '../market/category.ts';
import { findCategoryNoun, everythingElseId, findSpecificName, isConditionAccepted } from '../market/taxonomy.ts';
import { type Facts, titledCategories } from './facts/facts.ts';
import { capitalised } from './plainText.ts';
import { colourIn, materialIn, termsIn } from './facts/vocabulary.ts';
import type { ListingNote } from './writer.ts';

type Values = Partial<Record<SpecificKey, string>>;

const typeOf = ({ category, typeName }: Facts, language: string): string =>
  typeName && findKnownLanguage(language) === 'en' ? typeName : findCategoryNoun(category, language);

const knownValues = (facts: Facts, language: string): Values => {
  const { details, category, identifiers, workTitle, author, printed } = facts;
  const code = (kind: string): string | undefined => identifiers.find((identifier) => identifier.kind === kind)?.code;
  const typed = category.id !== everythingElseId;
  return {
    brand: facts.brand?.name,
    type: typed ? typeOf(facts, language) : undefined,
    colour: facts.colours.map((name) => colourIn(name, language)).join(', '),
    material: details.materials.map((name) => materialIn(name, language)).join(', '),
    bookTitle: workTitle,
    title: workTitle,
    author,
    artist: author,
    publisher: printed.publisher,
    isbn: code('isbn'),
    ean: code('ean'),
    upc: code('upc'),
    model: details.model,
    size: details.size,
    storage: details.storage,
    volume: details.volume,
    pieces: details.pieces,
    players: details.players,
    age: details.age,
    platform: details.platform,
    connectivity: details.connectivity && termsIn(details.connectivity, language),
    features: details.features && termsIn(details.features, language),
    format: details.format && termsIn(details.format, language),
    year: details.year,
  };
};

// Codes and sizes belong to whatever has them; the rest only to categories that ask for it.
const always: readonly SpecificKey[] = ['isbn', 'ean', 'upc', 'material'];

/** What is known of the specifics that the category asks for, under their names in the language. */
export const itemSpecificsOf = (facts: Facts, language: string): Record<string, string> => {
  const values = knownValues(facts, language);
  const asked = new Set([...facts.category.required, ...facts.category.recommended, ...always]);
  return Object.fromEntries(
    [...asked].flatMap((key) => {
      const value = values[key];
      return value ? [[findSpecificName(key, language), capitalised(value).slice(0, 65)]] : [];
    }),
  );
};

/** Required specifics of the category that nothing tells. */
const missingSpecifics = (facts: Facts, language: string): SpecificKey[] => {
  const values = knownValues(facts, language);
  return facts.category.required.filter((key) => !values[key]);
};

/** One thing for the person to look at. */
export const noteOn = (field: string, message: string, blocks = false): ListingNote => ({ field, message, blocks });

/** A specific that the category requires and nothing tells. */
export const requiredNote = (key: SpecificKey, language: string): ListingNote => {
  const name = findSpecificName(key, language);
  return noteOn(name, `This category needs “${name}”, and neither the photos nor your words tell it.`, true);
};

const brandNotes = (facts: Facts, language: string): ListingNote[] => {
  const field = findSpecificName('brand', language);
  if (facts.brand?.sure === false)
    return [noteOn(field, `“${facts.brand.name}” was read on the item and taken for its brand. Please check.`)];
  if (facts.brand || titledCategories.has(facts.category.id) || facts.category.required.includes('brand')) return [];
  return [noteOn(field, 'No brand could be read on the item. If it has one, please add it.')];
};

const typeNotes = ({ category }: Facts, language: string): ListingNote[] =>
  category.id === everythingElseId
    ? [
        noteOn(
          findSpecificName('type', language),
          'What the item is could not be told for certain. Please choose a category.',
        ),
      ]
    : [];

const conditionNotes = ({ seller, category }: Facts, condition: string): ListingNote[] => {
  if (!isConditionAccepted(category, condition))
    return [
      noteOn('condition', 'This category does not take items in this condition. Please say whether it is new.', true),
    ];
  return seller.condition
    ? []
    : [
        noteOn(
          'condition',
          'Nothing was said about the condition, so it was taken for used and good. Please check it.',
        ),
      ];
};

/** Photos that are too poor to help a buyer. */
export const photoNotes = ({ poorPhotos, photoCount }: Facts): ListingNote[] =>
  poorPhotos > 0
    ? [
        noteOn(
          'photos',
          `${poorPhotos} of ${photoCount} photos are too small or blurred to show much. Better ones help.`,
        ),
      ]
    : [];

/** A quantity that differs from the one the person spoke of. */
export const quantityNotes = ({ seller }: Facts, quantity: number): ListingNote[] =>
  seller.quantity && seller.quantity !== quantity
    ? [
        noteOn(
          'quantity',
          `Your words say ${seller.quantity}, the listing says ${quantity}. Please check which is right.`,
        ),
      ]
    : [];

/** What the person should look at: things that nothing tells, and guesses. */
export const notesFor = (
  facts: Facts,
  { language, quantity, condition }: { language: string; quantity: number; condition: string },
): ListingNote[] => [
  ...missingSpecifics(facts, language).map((key) => requiredNote(key, language)),
  ...brandNotes(facts, language),
  ...typeNotes(facts, language),
  ...conditionNotes(facts, condition),
  ...quantityNotes(facts, quantity),
  ...photoNotes(facts),
];
