import { conditionLists, conditionPriceFactor, type Condition } from './category.ts';
import { toKnownLanguage } from './languages.ts';
import { findSiteById, type Site } from './sites.ts';
import { findCategoryById, everythingElseId, type Category } from './taxonomy.ts';

const hashTextFnv = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

/** Creates a random number generator. Its numbers are between 0 and 1, and equal seeds give equal numbers. */
export const createSeededRandom = (seed: string): (() => number) => {
  let state = hashTextFnv(seed);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

export type Comparable = { title: string; priceCents: number; currency: string; condition: Condition };

export type CompsRequest = { site: string; categoryId: string; words: string; seed?: string | undefined };

const pickRandomEntry = <T>(list: readonly [T, ...T[]], random: () => number): T =>
  list[Math.floor(random() * list.length)] ?? list[0];

/** Rounds a price as sellers on the site do: 12.99 in the US, whole crowns that end in 9 in Sweden. */
export const roundSitePrice = (site: Site, amountMinor: number): number => {
  const { endingMinor } = site.price;
  const major = amountMinor / 100;
  if (endingMinor === 0)
    return (major < 20 ? Math.max(1, Math.round(major)) : Math.round((major + 1) / 10) * 10 - 1) * 100;
  if (major < 100) return Math.max(0, Math.round(major - endingMinor / 100)) * 100 + endingMinor;
  return (Math.round((major + 1) / 5) * 5 - 1) * 100 + endingMinor;
};

// A category has cheap and expensive products, so the words of the request choose a price level.
const computeNewPriceMinor = ({ newPriceCents: [from, to] }: Category, { perDollar }: Site, words: string): number => {
  const priceLevel = createSeededRandom(words.toLowerCase().split(/\s+/).sort().join(' '))();
  return from * (to / from) ** (0.15 + 0.6 * priceLevel) * perDollar;
};

const buildComparableTitle = (words: string, category: Category, site: Site, at: number): string => {
  const noun = category.nouns[toKnownLanguage(site.language)];
  const known = words.trim().replace(/\s+/g, ' ');
  return (known === '' ? `${noun} ${at + 1}` : known).slice(0, site.titleLength);
};

/** Generates offers of similar items. The same request returns the same offers. */
export const generateComparableOffers = ({
  site: siteId,
  categoryId,
  words,
  seed = '',
}: CompsRequest): Comparable[] => {
  const site = findSiteById(siteId) ?? findSiteById('MKT_US');
  const category = findCategoryById(categoryId) ?? findCategoryById(everythingElseId);
  if (!site || !category) return [];
  const random = createSeededRandom([site.id, category.id, words.toLowerCase(), seed].join('\n'));
  const base = computeNewPriceMinor(category, site, words);
  const count = 8 + Math.floor(random() * 9);
  return Array.from({ length: count }, (_, at) => {
    const condition = pickRandomEntry<Condition>(conditionLists[category.conditions], random);
    const spread = 0.78 + random() * 0.44;
    return {
      title: buildComparableTitle(words, category, site, at),
      priceCents: roundSitePrice(site, base * conditionPriceFactor[condition] * spread),
      currency: site.currency,
      condition,
    };
  });
};

const computeMedianValue = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const [low, high] = sorted.length % 2 === 1 ? [sorted[half], sorted[half]] : [sorted[half - 1], sorted[half]];
  return ((low ?? 0) + (high ?? 0)) / 2;
};

const findSiteByCurrency = (currency: string | undefined): Site | undefined =>
  ['MKT_US', 'MKT_GB', 'MKT_DE', 'MKT_CH', 'MKT_PL', 'MKT_CA', 'MKT_AU', 'MKT_SE']
    .map(findSiteById)
    .find((site) => site?.currency === currency);

/**
 * Returns the median price of the offers, or 0 without offers. If a condition is given, each price is converted to
 * that condition first.
 */
export const suggestMedianPrice = (comps: readonly Comparable[], condition?: Condition, site?: Site): number => {
  const rounding = site ?? findSiteByCurrency(comps[0]?.currency);
  if (comps.length === 0 || !rounding) return 0;
  const prices = comps.map((comp) =>
    condition
      ? (comp.priceCents * conditionPriceFactor[condition]) / conditionPriceFactor[comp.condition]
      : comp.priceCents,
  );
  return roundSitePrice(rounding, computeMedianValue(prices));
};
