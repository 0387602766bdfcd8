import { expect, test } from 'vitest';
import { formatCondition } from '../../../src/renderer/src/components/text/formatCondition.ts';

test('an unknown item condition is shown by the service’s name for it or by words from its code', () => {
  expect(formatCondition('USED_GOOD')).toBe('Used – good');
  expect(formatCondition('USED_GOOD', 'Gebraucht – gut')).toBe('Used – good');
  expect(formatCondition('VERY_OLD', 'Sehr alt')).toBe('Sehr alt');
  expect(formatCondition('VERY_OLD')).toBe('Very old');
  // A word that is not a condition code is shown unchanged.
  expect(formatCondition('free')).toBe('free');
});
