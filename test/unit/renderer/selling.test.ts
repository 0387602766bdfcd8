import { expect, test } from 'vitest';
import {
  parseMarketAccounts,
  parseQuotaBudgets,
  parseChannelConnections,
  parseSellerDefaults,
  parseCheckProblems,
  parseMissingSteps,
  parsePublishOptions,
  parsePageUrl,
  parseListingTemplates,
} from '../../../src/renderer/src/screens/selling/answers.ts';
import {
  createRecordBody,
  listChangedFields,
  toFormValues,
  collectInvalidFields,
  type FormField,
} from '../../../src/renderer/src/screens/selling/useRecordForm.ts';
import { flattenRecordFacts, formatFieldLabel } from '../../../src/renderer/src/api/unknownRecord.ts';

const fields: FormField[] = [
  { path: 'location.country', kind: 'code', label: '' },
  { path: 'location.postalCode', kind: 'text', label: '' },
  { path: 'returns.accepted', kind: 'yesNo', label: '' },
  { path: 'bestOffer.autoAcceptCents', kind: 'cents', label: '' },
  { path: 'packageWeightGrams', kind: 'whole', label: '', from: 1, to: 1_000 },
  { path: 'name', kind: 'text', label: '', must: true },
];
const record = {
  location: { country: 'US', postalCode: '94107', geo: 'kept' },
  returns: { accepted: true },
  packageWeightGrams: 700,
  name: 'Shoes',
};
const editRecord = (typed: Record<string, string>) => {
  const before = toFormValues(fields, record);
  const values = { ...before, ...typed };
  const changed = listChangedFields(fields, before, values);
  return { changed: changed.map(({ path }) => path), body: createRecordBody(changed, record, values) };
};

test('unchanged fields are not sent, and hidden fields of a changed record are kept', () => {
  expect(editRecord({ 'location.country': ' US ', name: 'Shoes' })).toEqual({ changed: [], body: {} });
  expect(editRecord({ 'location.country': 'de' }).body).toEqual({
    location: { country: 'DE', postalCode: '94107', geo: 'kept' },
  });
  expect(
    editRecord({ 'returns.accepted': 'no', 'bestOffer.autoAcceptCents': '15,5', packageWeightGrams: '90' }).body,
  ).toEqual({
    returns: { accepted: false },
    bestOffer: { autoAcceptCents: 1_550 },
    packageWeightGrams: 90,
  });
});

test('an emptied field is removed, with its record if no other field remains', () => {
  expect(editRecord({ 'location.country': '', 'location.postalCode': '' }).body).toEqual({ location: { geo: 'kept' } });
  expect(editRecord({ 'returns.accepted': '', packageWeightGrams: ' ' }).body).toEqual({
    returns: null,
    packageWeightGrams: null,
  });
});

test('an invalid value is reported at its field before anything is sent', () => {
  const wrong = collectInvalidFields(fields, {
    name: ' ',
    packageWeightGrams: '2000',
    'bestOffer.autoAcceptCents': 'a lot',
  });
  expect(Object.entries(wrong).map(([path, { why }]) => [path, why])).toEqual([
    ['bestOffer.autoAcceptCents', 'amount'],
    ['packageWeightGrams', 'whole'],
    ['name', 'must'],
  ]);
});

test('a missing requirement with an unknown code is shown in the service’s own words', () => {
  const status = {
    connected: true,
    missing: [{ code: 'MISSING_POLICIES', message: 'No policies.' }, 'Verify your phone.', 7],
  };
  expect(parseMissingSteps(status).map(({ about, sentence: words }) => [about, words])).toEqual([
    ['policies', 'No policies.'],
    ['other', 'Verify your phone.'],
    ['other', '7'],
  ]);
});

test('lists of accounts, templates and connections are found in any wrapper object', () => {
  expect(parseMarketAccounts([{ id: 'a' }, { name: 'no id' }])).toMatchObject([{ id: 'a', name: 'a' }]);
  expect(parseListingTemplates({ items: [{ templateId: 't', name: 'Shoes', odd: 1 }] })).toMatchObject([
    { templateId: 't', name: 'Shoes', more: { odd: 1 } },
  ]);
  expect(
    parseChannelConnections({ connections: [{ connectionId: 'c', channel: 'corner' }, { connectionId: 'd' }] }),
  ).toMatchObject([{ id: 'c', channelId: 'corner' }]);
  expect(parseListingTemplates(null)).toEqual([]);
});

test('budgets, publish options and page addresses are parsed from every known response format', () => {
  const trading = [{ quota: 'trading', remaining: 3, limit: 10 }];
  expect(parseQuotaBudgets({ budgets: trading })).toEqual(trading);
  expect(parseQuotaBudgets({ trading: { remaining: 3, limit: 10 }, at: 'noon' })).toEqual(trading);
  expect(parseQuotaBudgets({ budgets: { trading: 3 } })).toEqual([{ quota: 'trading', remaining: 3, limit: null }]);
  expect(
    parsePublishOptions({ options: [{ name: 'shelf', values: ['front', { label: 'Back' }], default: 'front' }] }),
  ).toEqual([
    {
      key: 'shelf',
      name: 'shelf',
      values: [
        { value: 'front', label: 'front' },
        { value: 'Back', label: 'Back' },
      ],
      usual: 'front',
    },
  ]);
  expect([parsePageUrl({ link: 'https://a.example' }), parsePageUrl({ link: 'javascript:x' })]).toEqual([
    'https://a.example',
    null,
  ]);
});

test('a failed check without details is shown as one problem', () => {
  expect(parseCheckProblems({ valid: true, problems: [] })).toEqual([]);
  expect(parseCheckProblems({ valid: false })).toEqual([{ field: null, message: '' }]);
  expect(parseCheckProblems({ errors: [{ path: 'name', message: 'Too long.' }] })).toEqual([
    { field: 'name', message: 'Too long.' },
  ]);
});

test('fields without a form are shown by their original names', () => {
  expect(parseSellerDefaults({ sellerDefaults: { format: 'AUCTION' } })).toEqual({ format: 'AUCTION' });
  expect(flattenRecordFacts({ a: { b: 1, c: null }, shown: 'x', tags: ['x', 'y'] }, ['shown'])).toEqual([
    ['a.b', '1'],
    ['tags', 'x, y'],
  ]);
  expect(formatFieldLabel('handlingDays')).toBe('Handling days');
});
