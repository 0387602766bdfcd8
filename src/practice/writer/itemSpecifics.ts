import { languageOf } from '../market/languages.ts';
import type { SpecificKey } from '../market/category.ts';
import { categoryNoun, everythingElseId, specificName } from '../market/taxonomy.ts';
import type { Facts } from './facts/facts.ts';
import { capitalised } from './plainText.ts';
import { colourIn, materialIn, termsIn } from './facts/vocabulary.ts';

type Values = Partial<Record<SpecificKey, string>>;

const typeOf = ({ category, typeName }: Facts, language: string): string =>
  typeName && languageOf(language) === 'en' ? typeName : categoryNoun(category, language);

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
      return value ? [[specificName(key, language), capitalised(value).slice(0, 65)]] : [];
    }),
  );
};

/** Required specifics of the category that nothing tells. */
export const missingSpecifics = (facts: Facts, language: string): SpecificKey[] => {
  const values = knownValues(facts, language);
  return facts.category.required.filter((key) => !values[key]);
};
