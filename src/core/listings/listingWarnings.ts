import { createMessage, type Message } from '../../i18n/message.ts';
import { convertHtmlToText } from '../../text/htmlText.ts';
import { replaceOldTitles } from '../../text/oldTitles.ts';

/** Why a listing is weak. These codes are stable, because assistants receive them. */
export const listingWarningCodes = [
  'LIVE_ALREADY',
  'TITLE_SHORT',
  'TITLE_SHARED',
  'CATEGORY_GENERAL',
  'PRICE_SHARED',
  'PRICE_UNDER_FEE',
  'DESCRIPTION_STALE',
  'SPECIFICS_MISSING',
  'PHOTO_BLURRED',
] as const;
export type ListingWarningCode = (typeof listingWarningCodes)[number];

/** `others` is the number of other listings that share the title or the price. */
export type FoundWarning = { code: ListingWarningCode; others?: number };

/** A fact that is null is unknown and causes no warning. */
export type WarningFacts = {
  title: string | null;
  /** The title that the listing had when it was generated. */
  writtenTitle: string | null;
  /** HTML. */
  description: string | null;
  categoryName: string | null;
  priceCents: number | null;
  site: string | null;
  isSpecificMissing: boolean;
  isFirstPhotoBlurred: boolean;
  /** The fee in the currency of the price. */
  feeMinor: number | null;
  /** Whether a live listing could sell the same thing. */
  isLiveAlready: boolean;
};

/** The listings that are judged together, counted by title and by price. */
export type WarningGroup = {
  size: number;
  titles: ReadonlyMap<string, number>;
  prices: ReadonlyMap<string, number>;
};

export const minTitleChars = 25;
const minSharedTitles = 3;
const minSharedPrices = 5;

/** Returns the key of a title in a group. Case and outer spaces make no difference. */
export const createTitleKey = (title: string): string => title.trim().toLowerCase();
export const createPriceKey = (priceCents: number, site: string | null): string => `${priceCents} ${site ?? ''}`;

/** The interface names no general category, so these are the names of that category on the known sites. */
const generalCategories = new Set(
  'everything else|sonstiges|autres|altro|otros|overige|pozostałe|övrigt|other|miscellaneous'.split('|'),
);

const isGeneralCategory = (name: string): boolean =>
  generalCategories.has(name.split('>').at(-1)?.trim().toLowerCase() ?? '');

/**
 * A description is stale if it still has the title of the generation, or if fewer than half of the words of the title
 * occur in it. A description need not repeat the whole title.
 */
const isDescriptionStale = ({ title, writtenTitle, description }: WarningFacts): boolean => {
  if (title === null || description === null) return false;
  const former = writtenTitle === null ? [] : [writtenTitle];
  if (replaceOldTitles(description, former, title) !== description) return true;
  const text = convertHtmlToText(description).toLowerCase();
  const words = (title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(({ length }) => length > 2);
  return words.filter((word) => text.includes(word)).length * 2 < words.length;
};

const findSharedTitle = ({ title }: WarningFacts, { titles }: WarningGroup): FoundWarning[] => {
  const count = title === null ? 0 : (titles.get(createTitleKey(title)) ?? 0);
  return count >= minSharedTitles ? [{ code: 'TITLE_SHARED', others: count - 1 }] : [];
};

/** A price is shared if at least five listings of the group have it, and these are more than half of the group. */
const findSharedPrice = ({ priceCents, site }: WarningFacts, { prices, size }: WarningGroup): FoundWarning[] => {
  const count = priceCents === null ? 0 : (prices.get(createPriceKey(priceCents, site)) ?? 0);
  return count >= minSharedPrices && count * 2 > size ? [{ code: 'PRICE_SHARED', others: count - 1 }] : [];
};

/** Returns why a listing that is not live yet is weak, most important first; an empty list if it is not weak. */
export const findListingWarnings = (facts: WarningFacts, group: WarningGroup): FoundWarning[] => {
  const { title, categoryName, priceCents, feeMinor, isSpecificMissing, isFirstPhotoBlurred, isLiveAlready } = facts;
  const toWarnings = (code: ListingWarningCode, applies: boolean): FoundWarning[] => (applies ? [{ code }] : []);
  return [
    ...toWarnings('LIVE_ALREADY', isLiveAlready),
    ...toWarnings('TITLE_SHORT', title !== null && [...title.trim()].length < minTitleChars),
    ...findSharedTitle(facts, group),
    ...toWarnings('CATEGORY_GENERAL', categoryName !== null && isGeneralCategory(categoryName)),
    ...findSharedPrice(facts, group),
    ...toWarnings('PRICE_UNDER_FEE', priceCents !== null && feeMinor !== null && priceCents < feeMinor),
    ...toWarnings('DESCRIPTION_STALE', isDescriptionStale(facts)),
    ...toWarnings('SPECIFICS_MISSING', isSpecificMissing),
    ...toWarnings('PHOTO_BLURRED', isFirstPhotoBlurred),
  ];
};

/** Returns the text of a warning. */
export const describeListingWarning = ({ code, others = 0 }: FoundWarning): Message =>
  code === 'TITLE_SHARED' || code === 'PRICE_SHARED'
    ? createMessage(`warnings.${code}`, { count: others })
    : createMessage(`warnings.${code}`);
