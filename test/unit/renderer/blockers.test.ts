import { expect, test } from 'vitest';
import { fieldFor, placeBlockers } from '../../../src/renderer/src/screens/items/review/fields/fieldProblems.ts';

test('a blocker stands at the field it names, or the one its code is about', () => {
  const { byField, top } = placeBlockers([
    { field: 'packageWeightGrams', message: 'Weigh it.' },
    { code: 'CONDITION_NOT_ALLOWED' },
    { code: 'MISSING_LOCATION' },
    { field: 'title', message: 'Too long.' },
    { field: 'title', message: 'Has a forbidden word.' },
  ]);
  expect(byField.packageWeightGrams).toEqual(['Weigh it.']);
  expect(byField.condition?.[0]).toContain('condition');
  expect(byField.title).toEqual(['Too long.', 'Has a forbidden word.']);
  expect(top[0]).toContain('postal code');
});

test('what is not known is said at the top with its code', () => {
  expect(placeBlockers([{ code: 'SOMETHING_NEW' }]).top).toEqual([
    'The marketplace needs something else (SOMETHING_NEW).',
  ]);
  expect(placeBlockers([{}]).top).toHaveLength(1);
});

test('fields are found below the body and in other writings', () => {
  expect(fieldFor(undefined, 'body.title')).toBe('title');
  expect(fieldFor(undefined, 'itemSpecifics.Brand')).toBe('itemSpecifics');
  expect(fieldFor(undefined, 'sku')).toBeNull();
});
