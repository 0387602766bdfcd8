import { expect, test } from 'vitest';
import {
  findBlockedField,
  groupBlockersByField,
} from '../../../src/renderer/src/screens/items/review/fields/fieldProblems.ts';

test('a publish blocker is shown at the field to which it refers', () => {
  const { byField, top } = groupBlockersByField([
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

test('an unknown publish blocker is shown at the top with its code', () => {
  expect(groupBlockersByField([{ code: 'SOMETHING_NEW' }]).top).toEqual([
    'The marketplace needs something else (SOMETHING_NEW).',
  ]);
  expect(groupBlockersByField([{}]).top).toHaveLength(1);
});

test('a blocked field is recognized by its nested name', () => {
  expect(findBlockedField(undefined, 'body.title')).toBe('title');
  expect(findBlockedField(undefined, 'itemSpecifics.Brand')).toBe('itemSpecifics');
  expect(findBlockedField(undefined, 'sku')).toBeNull();
});
