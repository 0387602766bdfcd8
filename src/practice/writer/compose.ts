import { generateComparableOffers, suggestMedianPrice } from '../market/comps.ts';
import type { Condition } from '../market/category.ts';
import { findSiteById } from '../market/sites.ts';
import { isConditionAccepted, findCategoryName, type Category } from '../market/taxonomy.ts';
import { composeDescription, phraseIn } from './description.ts';
import { gatherFacts, type Facts } from './facts/facts.ts';
import { itemSpecificsOf, notesFor } from './listingNotes.ts';
import { capitalised, clip } from './plainText.ts';
import type { PhotoReading } from './reading/photoReading.ts';
import { composeTitle } from './title.ts';
import type { WritingInput, WrittenListing } from './writer.ts';

// Nearest accepted condition for the few lists that lack one; never a better one than was said or seen.
const worseInstead: Partial<Record<Condition, readonly Condition[]>> = {
  NEW_OTHER: ['LIKE_NEW', 'USED_EXCELLENT', 'USED_GOOD'],
  LIKE_NEW: ['USED_EXCELLENT', 'USED_GOOD'],
  USED_EXCELLENT: ['USED_GOOD'],
  USED_ACCEPTABLE: ['USED_GOOD'],
};

const conditionFor = (category: Category, stated: Condition | undefined): Condition => {
  const wanted = stated ?? 'USED_GOOD';
  if (isConditionAccepted(category, wanted)) return wanted;
  return worseInstead[wanted]?.find((condition) => isConditionAccepted(category, condition)) ?? wanted;
};

const conditionDescription = ({ seller }: Facts, language: string): string =>
  seller.conditionClauses.length > 0
    ? clip(seller.conditionClauses.map(capitalised).join('. '), 1000)
    : phraseIn('conditionSeen', language);

/** The title's words without what changes with the language, so that one item costs the same everywhere. */
export const searchWords = ({ brand, details, workTitle, category, printed }: Facts): string =>
  [brand?.name, details.model, workTitle ?? printed.heading, details.storage, category.nouns.en]
    .filter(Boolean)
    .join(' ');

/** Writes the listing of an item from what its photos show and what the person said. */
export const compose = (readings: readonly PhotoReading[], input: Omit<WritingInput, 'photos'>): WrittenListing => {
  const { language, quantity, marketplaceId } = input;
  const site = findSiteById(marketplaceId);
  const facts = gatherFacts(readings, input.words);
  const { category } = facts;
  const title = composeTitle(facts, language, site?.titleLength ?? 80);
  const condition = conditionFor(category, facts.seller.condition);
  const itemSpecifics = itemSpecificsOf(facts, language);
  const comps = generateComparableOffers({ site: marketplaceId, categoryId: category.id, words: searchWords(facts) });
  return {
    ok: true,
    title,
    description: composeDescription(facts, { title, language, quantity, condition, itemSpecifics }),
    categoryId: category.id,
    categoryName: findCategoryName(category, language),
    condition,
    conditionDescription: conditionDescription(facts, language),
    suggestedPriceCents: suggestMedianPrice(comps, condition, site),
    itemSpecifics,
    notes: notesFor(facts, { language, quantity, condition }),
  };
};
