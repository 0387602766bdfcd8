import { expect, test } from 'vitest';
import {
  createPriceKey,
  createTitleKey,
  findListingWarnings,
  type FoundWarning,
  type WarningFacts,
  type WarningGroup,
} from '../../../../src/core/listings/listingWarnings.ts';

const title = 'Canon EOS 250D camera with lens';
const strong: WarningFacts = {
  title,
  writtenTitle: title,
  description: `<p>For sale: ${title}.</p><p>Tested.</p>`,
  categoryName: 'Cameras',
  priceCents: 1_299,
  site: 'MKT_US',
  isSpecificMissing: false,
  isFirstPhotoBlurred: false,
  feeMinor: 35,
  isLiveAlready: false,
};

type Sizes = { size?: number; sameTitle?: number; samePrice?: number };
const createGroup = ({ size = 10, sameTitle = 1, samePrice = 1 }: Sizes): WarningGroup => ({
  size,
  titles: new Map([[createTitleKey(title), sameTitle]]),
  prices: new Map([[createPriceKey(1_299, 'MKT_US'), samePrice]]),
});

const cases: [story: string, facts: Partial<WarningFacts>, group: Sizes, expected: FoundWarning[]][] = [
  ['a good listing', {}, {}, []],
  ['a listing like a live one', { isLiveAlready: true }, {}, [{ code: 'LIVE_ALREADY' }]],
  [
    'a title of 24 characters',
    { title: 'Canon EOS 250D camera 24', writtenTitle: null },
    {},
    [{ code: 'TITLE_SHORT' }],
  ],
  ['a title of 25 characters', { title: 'Canon EOS 250D camera 250', writtenTitle: null }, {}, []],
  [
    'spaces around a title',
    { title: '  Canon EOS 250D camera 24  ', writtenTitle: null },
    {},
    [{ code: 'TITLE_SHORT' }],
  ],
  ['a title without a value', { title: null }, {}, []],
  ['a title of two listings', {}, { sameTitle: 2 }, []],
  ['a title of three listings', {}, { sameTitle: 3 }, [{ code: 'TITLE_SHARED', others: 2 }]],
  [
    'another case of a shared title',
    { title: title.toUpperCase(), writtenTitle: null },
    { sameTitle: 3 },
    [{ code: 'TITLE_SHARED', others: 2 }],
  ],
  ['the general category', { categoryName: 'Everything Else' }, {}, [{ code: 'CATEGORY_GENERAL' }]],
  ['the general category below another one', { categoryName: 'More > Sonstiges' }, {}, [{ code: 'CATEGORY_GENERAL' }]],
  ['an unknown category', { categoryName: null }, {}, []],
  ['a price of four of five listings', {}, { size: 5, samePrice: 4 }, []],
  ['a price of five of ten listings', {}, { size: 10, samePrice: 5 }, []],
  ['a price of six of ten listings', {}, { size: 10, samePrice: 6 }, [{ code: 'PRICE_SHARED', others: 5 }]],
  ['a shared price on another site', { site: 'MKT_DE' }, { size: 10, samePrice: 6 }, []],
  ['a price below the fee', { priceCents: 34 }, {}, [{ code: 'PRICE_UNDER_FEE' }]],
  ['a price as high as the fee', { priceCents: 35 }, {}, []],
  ['an unknown fee', { priceCents: 1, feeMinor: null }, {}, []],
  [
    'a former title in the description',
    { writtenTitle: 'Item, black', description: `<p>Item, black</p><p>${title}</p>` },
    {},
    [{ code: 'DESCRIPTION_STALE' }],
  ],
  [
    'a description about something else',
    { description: '<p>A red fox made of porcelain.</p>' },
    {},
    [{ code: 'DESCRIPTION_STALE' }],
  ],
  ['a description with half of the words', { description: '<p>Canon camera, EOS 250D</p>' }, {}, []],
  ['an empty description', { description: '' }, {}, [{ code: 'DESCRIPTION_STALE' }]],
  ['an unknown description', { description: null }, {}, []],
  ['missing specifics', { isSpecificMissing: true }, {}, [{ code: 'SPECIFICS_MISSING' }]],
  ['a blurred first photo', { isFirstPhotoBlurred: true }, {}, [{ code: 'PHOTO_BLURRED' }]],
];

test.each(cases)('%s', (_story, facts, sizes, expected) => {
  expect(findListingWarnings({ ...strong, ...facts }, createGroup(sizes))).toEqual(expected);
});

test('several reasons are listed in one order', () => {
  const weak = {
    ...strong,
    title: 'Item, black',
    categoryName: 'Autres',
    isFirstPhotoBlurred: true,
    writtenTitle: null,
  };
  const group = { size: 6, titles: new Map([['item, black', 6]]), prices: new Map([['1299 MKT_US', 6]]) };
  expect(findListingWarnings(weak, group)).toEqual([
    { code: 'TITLE_SHORT' },
    { code: 'TITLE_SHARED', others: 5 },
    { code: 'CATEGORY_GENERAL' },
    { code: 'PRICE_SHARED', others: 5 },
    { code: 'DESCRIPTION_STALE' },
    { code: 'PHOTO_BLURRED' },
  ]);
});
