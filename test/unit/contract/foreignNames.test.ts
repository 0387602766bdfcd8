import { describe, expect, test } from 'vitest';
import { chooseStepAfterRefusal, chooseStepForApproval, chooseStepForItem } from '../../../src/bridge/mcp/nextSteps.ts';
import {
  parseErrorCode,
  findListingCurrency,
  findOwnEntry,
  exceedsJsonBounds,
  parseUntrustedJson,
  findPublishFix,
  parseServiceSentence,
} from '../../../src/contract/index.ts';
import { createItemProblem, toItemError } from '../../../src/core/items/itemState.ts';
import { buildSearchText } from '../../../src/core/storage/tables/listings/listingsTable.ts';
import { findBlockedField } from '../../../src/renderer/src/screens/items/review/fields/fieldProblems.ts';
import { convertHtmlToText } from '../../../src/text/htmlText.ts';
import { getSiteLanguage } from '../../../src/renderer/src/screens/items/review/fields/AdaptForm.tsx';
import { formatEnglishMessage } from '../../../src/i18n/english.ts';

const names = Object.getOwnPropertyNames(Object.prototype);
const listing = { listingId: 'lst_1', status: 'draft' } as const;

describe.each(names)('an untrusted name that equals the prototype property %s', (name) => {
  test('is not found in any lookup table', () => {
    expect(findOwnEntry({}, name)).toBeUndefined();
    expect(findBlockedField(name, name)).toBeNull();
    expect(findPublishFix(name)).toBeNull();
    expect(findListingCurrency({ marketplaceId: name })).toBeNull();
    expect(formatEnglishMessage({ key: `${name}.name` })).toBe('');
    expect(formatEnglishMessage({ key: `problems.${name}` })).toBe('');
  });
  test('is shown unchanged', () => {
    expect(convertHtmlToText(`&${name};`)).toBe(`&${name};`);
    expect(buildSearchText({ ...listing, description: `&${name};` })).toContain(`&${name};`);
    expect(typeof getSiteLanguage(name)).toBe('string');
  });
  test('leads to a next step like any other unknown name', () => {
    for (const step of [
      chooseStepAfterRefusal(name),
      chooseStepForApproval({ state: name }),
      chooseStepForItem(name, null),
      chooseStepForItem('line', { code: name, retriable: false }),
    ])
      expect(typeof step).toBe('string');
    expect(toItemError(createItemProblem(name), null)).toMatchObject({
      kind: 'failed',
      code: name,
      next: ['write_again', 'remove'],
    });
  });
});

test.each(['{"__proto__":{"a":1},"b":2}', '{"\\u005f_proto__":{"a":1},"b":2}', '{"__pr\\u006fto__":{"a":1},"b":2}'])(
  'the prototype key is dropped from the JSON text %s',
  (text) => {
    const value = parseUntrustedJson(text) as Record<string, unknown>;
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
])('the JSON text %s exceeds the limit for nesting or size: %s', (text, beyond) => {
  expect(exceedsJsonBounds(text, bounds)).toBe(beyond);
});

test('invalid error codes and empty error sentences are parsed as null', () => {
  expect([
    parseErrorCode('A_b-9'),
    parseErrorCode('a b'),
    parseErrorCode(7),
    parseErrorCode(''),
    parseErrorCode('x'.repeat(65)),
  ]).toEqual(['A_b-9', null, null, null, null]);
  expect([
    parseServiceSentence('No.'),
    parseServiceSentence(' \u200b'),
    parseServiceSentence('… .'),
    parseServiceSentence({}),
    parseServiceSentence(undefined),
  ]).toEqual(['No.', null, null, null, null]);
  expect(parseServiceSentence('x'.repeat(5_000))).toHaveLength(1_000);
});
