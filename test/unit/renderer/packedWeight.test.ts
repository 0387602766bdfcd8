import { expect, test } from 'vitest';
import {
  formatWeight,
  getWeightUnits,
  parseWeight,
} from '../../../src/renderer/src/screens/items/review/fields/packedWeight.ts';

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
  [340, 'imperial', '12 oz'],
  [992, 'imperial', '2 lb 3 oz'],
  [454, 'imperial', '1 lb'],
] as const)('%i grams are shown in %s units', (grams, units, text) => {
  expect(formatWeight(grams, units)).toBe(text);
  expect(parseWeight(text, units)).toBe(grams);
});
