import { generateComparableOffers, suggestMedianPrice, type Comparable } from '../market/comps.ts';
import { conditions, type Condition } from '../market/category.ts';
import { isConditionAccepted, getCategoryName, type Category } from '../market/taxonomy.ts';
import { composeDescription, formatPhrase } from './description.ts';
import { createWritingTask, type WritingTask } from './facts/facts.ts';
import { buildItemSpecifics, buildListingNotes } from './listingNotes.ts';
import { capitaliseFirstLetter, truncateText } from './plainText.ts';
import type { PhotoReading } from './reading/photoReading.ts';
import { composeTitle } from './title.ts';
import type { WritingInput, WrittenListing } from './writer.ts';

/** If a category does not accept a condition, the listing gets the next worse one that it accepts, or "used, good". */
const chooseCondition = (category: Category, stated: Condition = 'USED_GOOD'): Condition => {
  const worse = conditions.slice(conditions.indexOf(stated), conditions.indexOf('USED_ACCEPTABLE'));
  const all = stated === 'USED_ACCEPTABLE' ? [stated, 'USED_GOOD' as const] : worse;
  return all.find((each) => isConditionAccepted(category, each)) ?? stated;
};

/** The search words do not depend on the language of the listing, so neither does the price found with them. */
export const findSimilarOffers = ({ facts, site }: WritingTask, { id: categoryId }: Category): Comparable[] => {
  const { brand, details, workTitle, category, printed } = facts;
  const names = [brand?.name, details.model, workTitle ?? printed.heading, details.storage, category.nouns.en];
  return generateComparableOffers({ site: site.id, categoryId, words: names.filter(Boolean).join(' ') });
};

/** Writes the listing of an item from its photos and the seller's words. */
export const composeListing = (
  readings: readonly PhotoReading[],
  input: Omit<WritingInput, 'photos'>,
): WrittenListing => {
  const task = createWritingTask(readings, input);
  const { facts, language, site } = task;
  const { category, seller } = facts;
  const title = composeTitle(task);
  const condition = chooseCondition(category, seller.condition);
  const itemSpecifics = buildItemSpecifics(facts, language);
  return {
    ok: true,
    ...{ title, condition, itemSpecifics },
    description: composeDescription(task, { title, condition, itemSpecifics }),
    categoryId: category.id,
    categoryName: getCategoryName(category, language),
    conditionDescription:
      truncateText(seller.conditionClauses.map(capitaliseFirstLetter).join('. '), 1000) ||
      formatPhrase('conditionSeen', language),
    suggestedPriceCents: suggestMedianPrice(findSimilarOffers(task, category), condition, site),
    notes: buildListingNotes(task, condition),
  };
};
