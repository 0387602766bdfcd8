import { expect, test } from 'vitest';
import {
  findBlockedField,
  placeBlockersByField,
} from '../../../src/renderer/src/screens/items/review/fields/fieldProblems.ts';

test('a blocker stands at the field it names, or the one its code is about', () => {
  const { byField, top } = placeBlockersByField([
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
  expect(placeBlockersByField([{ code: 'SOMETHING_NEW' }]).top).toEqual([
    'The marketplace needs something else (SOMETHING_NEW).',
  ]);
  expect(placeBlockersByField([{}]).top).toHaveLength(1);
});

test('fields are found below the body and in other writings', () => {
  expect(findBlockedField(undefined, 'body.title')).toBe('title');
  expect(findBlockedField(undefined, 'itemSpecifics.Brand')).toBe('itemSpecifics');
  expect(findBlockedField(undefined, 'sku')).toBeNull();
});
