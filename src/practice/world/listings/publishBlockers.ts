import type { PublishRefusal } from '../../../contract/index.ts';
import { siteOf } from '../../market/sites.ts';
import { acceptsCondition, categoryOf, specificName, type Category } from '../../market/taxonomy.ts';
import type { ListingRow } from './listings.ts';
import { calculatedMaxGrams, type Policy } from '../policies.ts';

/** Something about a listing itself that keeps it from going live. */
type Blocker = { code: PublishRefusal; field: string; message: string };

const refused = (field: string, message: string): Blocker => ({ code: 'MARKET_REFUSED', field, message });

const textBlockers = ({ title, marketplaceId, price, bestOffer }: ListingRow, photoCount: number): Blocker[] => {
  const longest = siteOf(marketplaceId)?.titleLength ?? 80;
  const accept = bestOffer?.enabled === true ? bestOffer.autoAcceptCents : undefined;
  return [
    ...(photoCount === 0 ? [refused('imageUrls', 'At least one photo is needed.')] : []),
    ...(title === null || title.trim() === '' ? [refused('title', 'A title is needed.')] : []),
    ...(title !== null && title.length > longest
      ? [refused('title', `The title has ${title.length} characters; ${longest} fit.`)]
      : []),
    ...(price === null || price <= 0 ? [refused('price', 'A price is needed.')] : []),
    ...(accept !== undefined && price !== null && accept > price
      ? [refused('bestOffer', 'Offers would be accepted only above the asking price.')]
      : []),
  ];
};

const specificBlockers = (listing: ListingRow, category: Category): Blocker[] =>
  category.required
    .map((key) => specificName(key, listing.listingLanguage))
    .filter((name) => !listing.itemSpecifics[name]?.trim())
    .map((name) => refused(`itemSpecifics.${name}`, `"${name}" is required in the category ${listing.categoryName}.`));

const conditionBlockers = (listing: ListingRow, category: Category): Blocker[] =>
  listing.condition !== null && acceptsCondition(category, listing.condition)
    ? []
    : [
        {
          code: 'CONDITION_NOT_ALLOWED',
          field: 'condition',
          message: `The category ${listing.categoryName} does not accept the condition ${listing.condition ?? '(none)'}.`,
        },
      ];

/** What the postage policy needs to know of the parcel. */
const weightBlockers = (listing: ListingRow, postage: Policy | null): Blocker[] => {
  if (postage?.facts.postage !== 'calculated') return [];
  const heaviest = postage.facts.maxWeightGrams ?? calculatedMaxGrams;
  const weight = listing.packageWeightGrams;
  if (weight === null)
    return [
      {
        code: 'MISSING_PACKAGE_WEIGHT',
        field: 'packageWeightGrams',
        message: `"${postage.name}" calculates postage from the packed weight, which is not known yet.`,
      },
    ];
  if (weight <= heaviest) return [];
  return [
    {
      code: 'PACKAGE_WEIGHT_TOO_HEAVY',
      field: 'packageWeightGrams',
      message: `The packed item weighs ${weight} g; "${postage.name}" takes up to ${heaviest} g.`,
    },
  ];
};

/** Everything about a listing itself that the marketplace would refuse it for. */
export const blockersOf = (listing: ListingRow, photoCount: number, postage: Policy | null): Blocker[] => {
  const category = listing.categoryId === null ? undefined : categoryOf(listing.categoryId);
  return [
    ...textBlockers(listing, photoCount),
    ...(category ? conditionBlockers(listing, category) : [refused('categoryId', 'A category is needed.')]),
    ...(category ? specificBlockers(listing, category) : []),
    ...weightBlockers(listing, postage),
  ];
};
