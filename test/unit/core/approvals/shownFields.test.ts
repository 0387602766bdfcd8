import { expect, test } from 'vitest';
import { compareRecordFields } from '../../../../src/core/approvals/fieldEvidence.ts';

const before = { title: 'A fox', price: 900, sku: 'A-1', photos: ['a', 'b'] };
type Row = [name: string, read: object, wanted: object, shows: string, unseen: string[]];
const rows: Row[] = [
  ['the new value is reported', { price: 500 }, { price: 500 }, 'done', []],
  ['the requested value equals the old value', { title: 'A fox' }, { title: 'A fox' }, 'done', []],
  ['the value is not reported', {}, { colour: 'red' }, 'nothing', ['colour']],
  [
    'the new value is reported, another value is not',
    { price: 500 },
    { price: 500, colour: 'red' },
    'done',
    ['colour'],
  ],
  [
    'the old value is reported, another value is not',
    { title: 'A fox' },
    { title: 'A fox', colour: 'red' },
    'nothing',
    ['colour'],
  ],
  [
    'the requested value differs from the old value only in spaces',
    { title: 'A fox' },
    { title: ' A  fox', colour: 'red' },
    'nothing',
    ['colour'],
  ],
  ['a value other than the requested value is reported', { price: 900 }, { price: 500, colour: 'red' }, 'undone', []],
  ['a value to erase is no longer reported', {}, { sku: '' }, 'done', []],
  ['a value to erase was never reported', {}, { colour: '' }, 'nothing', ['colour']],
  ['an object to erase was never reported', {}, { bestOffer: {} }, 'nothing', ['bestOffer']],
  ['a value to erase is still reported', { sku: 'A-1' }, { sku: '' }, 'undone', []],
  ['a list has lost an entry', { photos: ['a'] }, { photos: ['a'], colour: 'red' }, 'done', ['colour']],
  ['only part of an object is reported', { box: { a: 1 } }, { box: { a: 1, b: 2 } }, 'done', ['box']],
];

test.each(rows)(
  'reading a record afterwards shows whether its change succeeded: %s',
  (_name, read, wanted, shows, unseen) => {
    const shown = compareRecordFields({ ...read }, { ...wanted }, { record: before });
    expect(shown).toEqual({ shows, unseen });
  },
);

test('without an earlier record, a value missing from the read is treated as erased', () => {
  expect(compareRecordFields({}, { colour: '' })).toEqual({ shows: 'done', unseen: [] });
});
