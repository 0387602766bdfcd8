import { generateComparableOffers, suggestMedianPrice } from '../market/comps.ts';
import { conditions, type Condition } from '../market/category.ts';
import { findSiteById } from '../market/sites.ts';
import { isConditionAccepted, getCategoryName, type Category } from '../market/taxonomy.ts';
import { composeDescription, formatPhrase } from './description.ts';
import { collectFacts, type Facts } from './facts/facts.ts';
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

/** Builds search words that do not depend on the language of the listing, so neither does the price found with them. */
export const buildSearchWords = ({ brand, details, workTitle, category, printed }: Facts): string =>
  [brand?.name, details.model, workTitle ?? printed.heading, details.storage, category.nouns.en]
    .filter(Boolean)
    .join(' ');

/** Writes the listing of an item from its photos and the seller's words. */
export const composeListing = (
  readings: readonly PhotoReading[],
  input: Omit<WritingInput, 'photos'>,
): WrittenListing => {
  const { language, quantity, marketplaceId } = input;
  const site = findSiteById(marketplaceId);
  const facts = collectFacts(readings, input.words);
  const { category, seller } = facts;
  const title = composeTitle(facts, language, site?.titleLength ?? 80);
  const condition = chooseCondition(category, seller.condition);
  const itemSpecifics = buildItemSpecifics(facts, language);
  const words = buildSearchWords(facts);
  const comps = generateComparableOffers({ site: marketplaceId, categoryId: category.id, words });
  return {
    ok: true,
    title,
    description: composeDescription(facts, { title, language, quantity, condition, itemSpecifics }),
    categoryId: category.id,
    categoryName: getCategoryName(category, language),
    condition,
    conditionDescription:
      truncateText(seller.conditionClauses.map(capitaliseFirstLetter).join('. '), 1000) ||
      formatPhrase('conditionSeen', language),
    suggestedPriceCents: suggestMedianPrice(comps, condition, site),
    itemSpecifics,
    notes: buildListingNotes(facts, language, quantity, condition),
  };
};
