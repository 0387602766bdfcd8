import { expect, test } from 'vitest';
import { generateComparableOffers, suggestMedianPrice } from '../../../../src/practice/market/comps.ts';
import { conditionPriceFactor } from '../../../../src/practice/market/category.ts';
import { quoteMarketplaceFee } from '../../../../src/practice/market/fees.ts';
import { languages } from '../../../../src/practice/market/languages.ts';
import { formatSitePrice, isValidPostalCode, findSiteById, sites } from '../../../../src/practice/market/sites.ts';
import {
  isConditionAccepted,
  categories,
  getCategoryName,
  findCategoryById,
  buildCategoryPath,
  listAcceptedConditions,
  searchCategoriesByWords,
  getSpecificName,
} from '../../../../src/practice/market/taxonomy.ts';

test('every site of the market has a unique id, a language and a currency', () => {
  expect(new Set(sites.map(({ id }) => id)).size).toBe(15);
  for (const site of sites) {
    expect(site.id).toMatch(/^MKT_[A-Z]+$/);
    expect(site.titleLength).toBe(80);
    expect(site.currency).toMatch(/^[A-Z]{3}$/);
    expect(Intl.getCanonicalLocales(site.language)).toEqual([site.language]);
    expect(isValidPostalCode(site, site.postalCode.example)).toBe(true);
    expect(isValidPostalCode(site, 'no code')).toBe(false);
  }
});

test('prices are formatted in the style of the site', () => {
  expect(formatSitePrice(findSiteById('MKT_US')!, 1299)).toBe('$12.99');
  expect(formatSitePrice(findSiteById('MKT_DE')!, 1299).replace(/\s/g, ' ')).toBe('12,99 €');
});

test('a listing costs 35 cents in the US and nothing in Germany', () => {
  const request = { priceCents: 2500, format: 'FIXED_PRICE', categoryId: '1001' } as const;
  expect(quoteMarketplaceFee({ ...request, site: 'MKT_US' })).toEqual({
    state: 'fee',
    currency: 'USD',
    totalMinor: 35,
    lines: [{ name: 'Insertion fee', amountMinor: 35 }],
  });
  expect(quoteMarketplaceFee({ ...request, site: 'MKT_DE' })).toEqual({
    state: 'free',
    currency: 'EUR',
    totalMinor: 0,
    lines: [],
  });
});

test('the fee in Britain depends on the price', () => {
  const at = (priceCents: number): number =>
    quoteMarketplaceFee({ site: 'MKT_GB', priceCents, format: 'FIXED_PRICE', categoryId: '1001' }).totalMinor;
  expect([999, 1000, 4999, 5000, 900_000].map(at)).toEqual([0, 35, 35, 75, 75]);
});

test('the lines of every quote add up to its total', () => {
  for (const { id, currency } of sites)
    for (const { id: categoryId } of categories)
      for (const format of ['FIXED_PRICE', 'AUCTION'] as const)
        for (const priceCents of [1, 999, 4_999, 120_000]) {
          const quote = quoteMarketplaceFee({ site: id, priceCents, format, categoryId, reserveCents: priceCents * 2 });
          expect(quote.currency).toBe(currency);
          expect(quote.lines.reduce((sum, line) => sum + line.amountMinor, 0)).toBe(quote.totalMinor);
          expect(quote.state).toBe(quote.totalMinor > 0 ? 'fee' : 'free');
          expect(quote.lines.every(({ amountMinor }) => Number.isInteger(amountMinor) && amountMinor > 0)).toBe(true);
        }
});

test('an unavailable fee quote contains its reason', () => {
  const request = { priceCents: 2500, format: 'FIXED_PRICE', categoryId: '1001' } as const;
  for (const broken of [
    { ...request, site: 'MKT_MOON' },
    { ...request, site: 'MKT_US', categoryId: 'none' },
    { ...request, site: 'MKT_US', priceCents: 0 },
  ])
    expect(quoteMarketplaceFee(broken)).toMatchObject({
      state: 'unavailable',
      totalMinor: 0,
      reason: expect.stringMatching(/\.$/) as string,
    });
});

test('every category has names and conditions in every language', () => {
  expect(categories.length).toBeGreaterThanOrEqual(40);
  expect(new Set(categories.map(({ id }) => id)).size).toBe(categories.length);
  for (const category of categories)
    for (const language of languages) {
      expect(buildCategoryPath(category, language).every((name) => name.length > 1)).toBe(true);
      expect(category.nouns[language]).not.toBe('');
      const conditions = listAcceptedConditions(category, language);
      expect(conditions.length).toBeGreaterThanOrEqual(2);
      expect(conditions.every(({ name }) => name !== '')).toBe(true);
      expect(category.newPriceCents[0]).toBeLessThan(category.newPriceCents[1]);
    }
});

test('some categories reject some conditions', () => {
  expect(isConditionAccepted(findCategoryById('1001')!, 'FOR_PARTS')).toBe(false);
  expect(isConditionAccepted(findCategoryById('8001')!, 'USED_GOOD')).toBe(false);
  expect(isConditionAccepted(findCategoryById('2001')!, 'FOR_PARTS')).toBe(true);
  expect(isConditionAccepted(findCategoryById('2001')!, 'SHINY')).toBe(false);
});

test('category names use the requested language, or English if the language is unknown', () => {
  const headphones = findCategoryById('2001')!;
  expect(getCategoryName(headphones, 'de-AT')).toBe('Kopfhörer');
  expect(getCategoryName(headphones, 'German')).toBe('Kopfhörer');
  expect(getCategoryName(headphones, 'pt-PT')).toBe('Headphones');
  expect([getSpecificName('colour', 'en-US'), getSpecificName('colour', 'en-GB')]).toEqual(['Color', 'Colour']);
});

test('categories are found by words in the given language', () => {
  expect(searchCategoriesByWords('kopfhörer', 'de')[0]?.id).toBe('2001');
  expect(searchCategoriesByWords('board game', 'en')[0]?.id).toBe('5001');
  expect(searchCategoriesByWords('no such thing', 'en')).toEqual([]);
});

test('comparable offers are deterministic and use the currency of the site', () => {
  for (const site of sites)
    for (const { id: categoryId } of categories) {
      const comps = generateComparableOffers({ site: site.id, categoryId, words: 'blue thing', seed: '1' });
      expect(comps).toEqual(generateComparableOffers({ site: site.id, categoryId, words: 'blue thing', seed: '1' }));
      expect(comps.length).toBeGreaterThanOrEqual(8);
      expect(comps.every(({ currency, priceCents }) => currency === site.currency && priceCents > 0)).toBe(true);
      const price = suggestMedianPrice(comps, undefined, site);
      expect(price).toBeGreaterThan(0);
      expect(price % 100).toBe(site.price.endingMinor);
    }
});

test('the suggested price never falls with a better condition', () => {
  const comps = generateComparableOffers({ site: 'MKT_US', categoryId: '2001', words: 'Sony WH-1000XM4' });
  const prices = (Object.keys(conditionPriceFactor) as (keyof typeof conditionPriceFactor)[]).map((it) =>
    suggestMedianPrice(comps, it),
  );
  expect(prices).toEqual([...prices].sort((a, b) => b - a));
  expect(suggestMedianPrice([])).toBe(0);
});
