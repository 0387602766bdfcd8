import { expect, test } from 'vitest';
import { isItemInProgress, listProgressStepStates } from '../../../src/renderer/src/screens/items/NextSteps.tsx';
import {
  collectSpecifics,
  toSpecificRows,
  findDuplicateName,
} from '../../../src/renderer/src/screens/items/review/fields/SpecificsField.tsx';

const stop = { kind: 'failed' as const, code: 'X', sentence: 'x', next: [] };

test('the progress marks of an item show its past, current and future steps', () => {
  expect(listProgressStepStates({ step: 'upload', stop: null })).toEqual(['done', 'done', 'moving', 'ahead', 'ahead']);
  expect(listProgressStepStates({ step: 'line', stop: null })[3]).toBe('moving');
  expect(listProgressStepStates({ step: 'review', stop: null })[4]).toBe('due');
  expect(listProgressStepStates({ step: 'upload', stop })[2]).toBe('stopped');
  expect(listProgressStepStates({ step: 'live', stop: null })).toEqual(Array.from({ length: 5 }, () => 'done'));
});

test('only an item on which the companion is working is shown as in progress', () => {
  expect(isItemInProgress({ step: 'writing', stop: null })).toBe(true);
  expect(isItemInProgress({ step: 'writing', stop })).toBe(false);
  expect(isItemInProgress({ step: 'review', stop: null })).toBe(false);
});

test('the specifics editor keeps specifics unchanged and finds duplicate names', () => {
  const specifics = { Brand: 'Nike', Size: 'EU 43' };
  expect(collectSpecifics(toSpecificRows(specifics))).toEqual(specifics);
  expect(
    collectSpecifics([
      { key: 1, name: ' Brand ', value: ' Nike ' },
      { key: 2, name: 'Size', value: '' },
    ]),
  ).toEqual({ Brand: 'Nike' });
  expect(
    findDuplicateName([
      { key: 1, name: 'A', value: '1' },
      { key: 2, name: 'A ', value: '2' },
    ]),
  ).toBe('A');
});
