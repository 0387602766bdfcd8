import { expect, test } from 'vitest';
import { formatCondition } from '../../../src/renderer/src/components/text/formatCondition.ts';

test('a condition that is known has our name, another one the name of the service, or its code as words', () => {
  expect(formatCondition('USED_GOOD')).toBe('Used – good');
  expect(formatCondition('USED_GOOD', 'Gebraucht – gut')).toBe('Used – good');
  expect(formatCondition('VERY_OLD', 'Sehr alt')).toBe('Sehr alt');
  expect(formatCondition('VERY_OLD')).toBe('Very old');
  // Words of ours that are no codes are nobody's condition.
  expect(formatCondition('free')).toBe('free');
});
