import { expect, test } from 'vitest';
import { getWeightUnits } from '../../../src/i18n/weights.ts';
import { formatWeight, parseWeight } from '../../../src/renderer/src/components/text/packedWeight.ts';

test('sellers in the United States weigh in pounds and ounces, all others in grams', () => {
  expect([getWeightUnits('MKT_US'), getWeightUnits('MKT_DE'), getWeightUnits(null)]).toEqual([
    'imperial',
    'metric',
    'metric',
  ]);
});

test.each([
  ['350', 'metric', 350],
  ['1,5 kg', 'metric', 1_500],
  ['12', 'imperial', 340],
  ['2 lb 3 oz', 'imperial', 992],
  ['1.5lbs', 'imperial', 680],
  ['350 g', 'imperial', 350],
  ['', 'metric', null],
  ['heavy', 'metric', null],
  ['2 lb or so', 'imperial', null],
  ['0', 'metric', null],
  ['1,200 g', 'metric', null],
  ['1.500 kg', 'metric', null],
] as const)('the weight “%s” is read in %s units', (text, units, grams) => {
  expect(parseWeight(text, units)).toBe(grams);
});

test.each([
  [350, 'metric', '350 g'],
  [2_000, 'metric', '2 kg'],
  [1_250, 'metric', '1.25 kg'],
  [1_234, 'metric', '1234 g'],
  [1_000_000, 'metric', '1000000 g'],
  [150, 'imperial', '5.3 oz'],
  [340, 'imperial', '12 oz'],
  [992, 'imperial', '2 lb 3 oz'],
  [454, 'imperial', '1 lb'],
] as const)('%i grams are shown in %s units', (grams, units, text) => {
  expect(formatWeight(grams, units)).toBe(text);
  expect(parseWeight(text, units)).toBe(grams);
});
