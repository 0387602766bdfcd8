import type { SpecificKey } from '../market/category.ts';
import { acceptsCondition, everythingElseId, specificName } from '../market/taxonomy.ts';
import { titledCategories, type Facts } from './facts/facts.ts';
import { missingSpecifics } from './itemSpecifics.ts';
import type { ListingNote } from './writer.ts';

/** One thing for the person to look at. */
export const noteOn = (field: string, message: string, blocks = false): ListingNote => ({ field, message, blocks });

/** A specific that the category requires and nothing tells. */
export const requiredNote = (key: SpecificKey, language: string): ListingNote => {
  const name = specificName(key, language);
  return noteOn(name, `This category needs “${name}”, and neither the photos nor your words tell it.`, true);
};

const brandNotes = (facts: Facts, language: string): ListingNote[] => {
  const field = specificName('brand', language);
  if (facts.brand?.sure === false)
    return [noteOn(field, `“${facts.brand.name}” was read on the item and taken for its brand. Please check.`)];
  if (facts.brand || titledCategories.has(facts.category.id) || facts.category.required.includes('brand')) return [];
  return [noteOn(field, 'No brand could be read on the item. If it has one, please add it.')];
};

const typeNotes = ({ category }: Facts, language: string): ListingNote[] =>
  category.id === everythingElseId
    ? [
        noteOn(
          specificName('type', language),
          'What the item is could not be told for certain. Please choose a category.',
        ),
      ]
    : [];

const conditionNotes = ({ seller, category }: Facts, condition: string): ListingNote[] => {
  if (!acceptsCondition(category, condition))
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
