import { expect, test } from 'vitest';
import {
  nothingPicked,
  pickPhoto,
  shiftPickedPhotos,
} from '../../../src/renderer/src/screens/items/arrange/photoSelection.ts';

const order = ['a', 'b', 'c', 'd', 'e'];

test('a click selects one photo, Ctrl-click toggles a photo and Shift-click selects a range', () => {
  const one = pickPhoto(order, nothingPicked, 'b', 'alone');
  expect([...one.ids]).toEqual(['b']);
  expect([...pickPhoto(order, one, 'd', 'toggle').ids]).toEqual(['b', 'd']);
  expect([...pickPhoto(order, one, 'b', 'toggle').ids]).toEqual([]);
  const range = pickPhoto(order, one, 'd', 'upTo');
  expect([...range.ids]).toEqual(['b', 'c', 'd']);
  expect([...pickPhoto(order, range, 'a', 'upTo').ids]).toEqual(['a', 'b']);
});

test('a range without a valid start selects only the clicked photo', () => {
  expect([...pickPhoto(order, nothingPicked, 'c', 'upTo').ids]).toEqual(['c']);
  expect([...pickPhoto(order, { ids: new Set(['x']), from: 'x' }, 'c', 'upTo').ids]).toEqual(['c']);
});

test('selected photos move together by one position and stop at the ends', () => {
  expect(shiftPickedPhotos(order, new Set(['b']), -1)).toEqual(['b', 'a', 'c', 'd', 'e']);
  expect(shiftPickedPhotos(order, new Set(['b', 'd']), 1)).toEqual(['a', 'c', 'b', 'd', 'e']);
  expect(shiftPickedPhotos(order, new Set(['a']), -1)).toEqual(order);
  expect(shiftPickedPhotos(order, new Set(['e']), 1)).toEqual(order);
});
