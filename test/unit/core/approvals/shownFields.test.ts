import { expect, test } from 'vitest';
import { compareRecordFields } from '../../../../src/core/approvals/fieldEvidence.ts';

const before = { title: 'A fox', price: 900, sku: 'A-1', photos: ['a', 'b'] };
type Row = [name: string, read: object, wanted: object, shows: string, unseen: string[]];
const rows: Row[] = [
  ['a new value that is shown', { price: 500 }, { price: 500 }, 'done', []],
  ['an old value that is asked for and shown', { title: 'A fox' }, { title: 'A fox' }, 'done', []],
  ['a value that is not shown', {}, { colour: 'red' }, 'nothing', ['colour']],
  ['a new value beside one that is not shown', { price: 500 }, { price: 500, colour: 'red' }, 'done', ['colour']],
  [
    'an old value beside one that is not shown',
    { title: 'A fox' },
    { title: 'A fox', colour: 'red' },
    'nothing',
    ['colour'],
  ],
  ['an old value in other spaces', { title: 'A fox' }, { title: ' A  fox', colour: 'red' }, 'nothing', ['colour']],
  ['another value than was asked for', { price: 900 }, { price: 500, colour: 'red' }, 'undone', []],
  ['a value that was there and is gone', {}, { sku: '' }, 'done', []],
  ['a value that was never shown, erased', {}, { colour: '' }, 'nothing', ['colour']],
  ['an object that was never shown, erased', {}, { bestOffer: {} }, 'nothing', ['bestOffer']],
  ['a value that is still there, erased', { sku: 'A-1' }, { sku: '' }, 'undone', []],
  ['a list that lost an entry', { photos: ['a'] }, { photos: ['a'], colour: 'red' }, 'done', ['colour']],
  ['an object of which one part is shown', { box: { a: 1 } }, { box: { a: 1, b: 2 } }, 'done', ['box']],
];

test.each(rows)('%s is compared with the requested value', (_name, read, wanted, shows, unseen) => {
  const shown = compareRecordFields({ ...read }, { ...wanted }, { record: before });
  expect(shown).toEqual({ shows, unseen });
});

test('without an earlier record, a missing value may have been erased', () => {
  expect(compareRecordFields({}, { colour: '' })).toEqual({ shows: 'done', unseen: [] });
});
