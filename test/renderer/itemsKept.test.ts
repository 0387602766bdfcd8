import { expect, test } from 'vitest';
import { withChanges } from '../../src/renderer/src/api/itemsKept.ts';
import { fakeItems } from './fakeData.ts';

const [fox, camera, book] = fakeItems();
if (!fox || !camera || !book) throw new Error('The fake has three items.');

test('what did not change is the same object, what changed is the new one, in the order of the answer', () => {
  const first = withChanges(null, { mark: '1', itemIds: ['fox', 'camera'], changed: [fox, camera] });
  const changed = { ...camera, words: 'Written' };
  const next = withChanges(first, { mark: '2', itemIds: ['book', 'camera', 'fox'], changed: [changed, book] });
  expect(next?.mark).toBe('2');
  expect(next?.items.map(({ itemId }) => itemId)).toEqual(['book', 'camera', 'fox']);
  expect(next?.items[1]).toBe(changed);
  expect(next?.items[2]).toBe(fox);
});

test('an item that is gone leaves; one that was never told means reading everything again', () => {
  const first = withChanges(null, { mark: '1', itemIds: ['fox', 'camera'], changed: [fox, camera] });
  expect(withChanges(first, { mark: '2', itemIds: ['camera'], changed: [] })?.items).toEqual([camera]);
  expect(withChanges(first, { mark: '2', itemIds: ['camera', 'book'], changed: [] })).toBeNull();
});
