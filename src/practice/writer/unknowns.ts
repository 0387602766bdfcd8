import type { SpecificKey } from '../market/specifics.ts';
import { acceptsCondition, everythingElseId, specificName } from '../market/taxonomy.ts';
import { titledCategories, type Facts } from './facts.ts';
import { missingSpecifics } from './itemSpecifics.ts';
import type { Unknown } from './writer.ts';

/** One thing for the person to look at. */
export const ask = (field: string, message: string, blocks = false): Unknown => ({ field, message, blocks });

/** A specific that the category requires and nothing tells. */
export const aboutRequired = (key: SpecificKey, language: string): Unknown => {
  const name = specificName(key, language);
  return ask(name, `This category needs “${name}”, and neither the photos nor your words tell it.`, true);
};

const aboutBrand = (facts: Facts, language: string): Unknown[] => {
  const field = specificName('brand', language);
  if (facts.brand?.sure === false)
    return [ask(field, `“${facts.brand.name}” was read on the item and taken for its brand. Please check.`)];
  if (facts.brand || titledCategories.has(facts.category.id) || facts.category.required.includes('brand')) return [];
  return [ask(field, 'No brand could be read on the item. If it has one, please add it.')];
};

const aboutType = ({ category }: Facts, language: string): Unknown[] =>
  category.id === everythingElseId
    ? [ask(specificName('type', language), 'What the item is could not be told for certain. Please choose a category.')]
    : [];

const aboutCondition = ({ seller, category }: Facts, condition: string): Unknown[] => {
  if (!acceptsCondition(category, condition))
    return [
      ask('condition', 'This category does not take items in this condition. Please say whether it is new.', true),
    ];
  return seller.condition
    ? []
    : [ask('condition', 'Nothing was said about the condition, so it was taken for used and good. Please check it.')];
};

/** Photos that are too poor to help a buyer. */
export const aboutPhotos = ({ poorPhotos, photoCount }: Facts): Unknown[] =>
  poorPhotos > 0
    ? [ask('photos', `${poorPhotos} of ${photoCount} photos are too small or blurred to show much. Better ones help.`)]
    : [];

/** A quantity that differs from the one the person spoke of. */
export const aboutQuantity = ({ seller }: Facts, quantity: number): Unknown[] =>
  seller.quantity && seller.quantity !== quantity
    ? [ask('quantity', `Your words say ${seller.quantity}, the listing says ${quantity}. Please check which is right.`)]
    : [];

/** What the person should look at: things that nothing tells, and guesses. */
export const unknownsOf = (
  facts: Facts,
  { language, quantity, condition }: { language: string; quantity: number; condition: string },
): Unknown[] => [
  ...missingSpecifics(facts, language).map((key) => aboutRequired(key, language)),
  ...aboutBrand(facts, language),
  ...aboutType(facts, language),
  ...aboutCondition(facts, condition),
  ...aboutQuantity(facts, quantity),
  ...aboutPhotos(facts),
];
