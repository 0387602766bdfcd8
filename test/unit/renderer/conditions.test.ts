import { expect, test } from 'vitest';
import { conditionText } from '../../../src/renderer/src/components/text/conditionText.ts';

test('a condition that is known has our name, another one the name of the service, or its code as words', () => {
  expect(conditionText('USED_GOOD')).toBe('Used – good');
  expect(conditionText('USED_GOOD', 'Gebraucht – gut')).toBe('Used – good');
  expect(conditionText('VERY_OLD', 'Sehr alt')).toBe('Sehr alt');
  expect(conditionText('VERY_OLD')).toBe('Very old');
  // Words of ours that are no codes are nobody's condition.
  expect(conditionText('free')).toBe('free');
});
