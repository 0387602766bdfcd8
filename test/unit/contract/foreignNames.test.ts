import { describe, expect, test } from 'vitest';
import { stepAfterRefusal, stepOfApproval, stepOfItem } from '../../../src/bridge/mcp/nextSteps.ts';
import {
  codeIn,
  currencyOf,
  entryOf,
  exceedsJsonBounds,
  parseJson,
  publishFixOf,
  sentenceIn,
} from '../../../src/contract/index.ts';
import { itemErrorFor, itemErrorOf } from '../../../src/core/items/itemState.ts';
import { searchText } from '../../../src/core/storage/tables/listingsTable.ts';
import { fieldFor } from '../../../src/renderer/src/screens/items/review/fields/fieldProblems.ts';
import { htmlText } from '../../../src/text/htmlText.ts';
import { ownLanguage } from '../../../src/renderer/src/screens/items/review/fields/AdaptForm.tsx';
import { formatEnglish } from '../../../src/i18n/english.ts';

const names = Object.getOwnPropertyNames(Object.prototype);
const listing = { listingId: 'lst_1', status: 'draft' } as const;

describe.each(names)('the name %s, chosen by somebody else', (name) => {
  test('is in no table', () => {
    expect(entryOf({}, name)).toBeUndefined();
    expect(fieldFor(name, name)).toBeNull();
    expect(publishFixOf(name)).toBeNull();
    expect(currencyOf({ marketplaceId: name })).toBeNull();
    expect(formatEnglish({ key: `${name}.name` })).toBe('');
    expect(formatEnglish({ key: `problems.${name}` })).toBe('');
  });
  test('reads as it came', () => {
    expect(htmlText(`&${name};`)).toBe(`&${name};`);
    expect(searchText({ ...listing, description: `&${name};` })).toContain(`&${name};`);
    expect(typeof ownLanguage(name)).toBe('string');
  });
  test('has a next step like any other', () => {
    for (const step of [stepAfterRefusal(name), stepOfApproval({ state: name }), stepOfItem(name, false)])
      expect(typeof step).toBe('string');
    expect(itemErrorOf(itemErrorFor(name), null)).toMatchObject({
      kind: 'failed',
      code: name,
      next: ['write_again', 'remove'],
    });
  });
});

test.each(['{"__proto__":{"a":1},"b":2}', '{"\\u005f_proto__":{"a":1},"b":2}', '{"__pr\\u006fto__":{"a":1},"b":2}'])(
  '%s is read without what it says of the prototype',
  (text) => {
    const value = parseJson(text) as Record<string, unknown>;
    expect([Object.keys(value), value['a']]).toEqual([['b'], undefined]);
  },
);

const bounds = { levels: 3, values: 6 };
test.each<[string, boolean]>([
  ['[[[1]]]', false],
  ['[[[[1]]]]', true],
  ['{"a":{"b":{"c":1}}}', false],
  ['{"a":{"b":{"c":[]}}}', true],
  ['["[[[[[[","\\"[[[[","\\\\",[1]]', false],
  ['["a\\\\\\"[[[[["]', false],
  ['["a\\\\",[[[1]]]]', true],
  ['[1,2,3,4,5,6]', false],
  ['[1,2,3,4,5,6,7]', true],
  ['"[[[[[', false],
  ['', false],
])('%s goes too far: %s', (text, beyond) => {
  expect(exceedsJsonBounds(text, bounds)).toBe(beyond);
});

test('codes and sentences are what they are, or nothing', () => {
  expect([codeIn('A_b-9'), codeIn('a b'), codeIn(7), codeIn(''), codeIn('x'.repeat(65))]).toEqual([
    'A_b-9',
    null,
    null,
    null,
    null,
  ]);
  expect([sentenceIn('No.'), sentenceIn(' \u200b'), sentenceIn('… .'), sentenceIn({}), sentenceIn(undefined)]).toEqual([
    'No.',
    null,
    null,
    null,
    null,
  ]);
  expect(sentenceIn('x'.repeat(5_000))).toHaveLength(1_000);
});
