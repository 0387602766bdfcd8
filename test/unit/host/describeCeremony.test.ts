import { expect, test } from 'vitest';
import * as z from 'zod';
import { loadCeremonyTexts } from '../../../src/host/ceremony/ceremonyTexts.ts';
import { callTexts } from '../../../src/host/ceremony/describeCall.ts';
import { describeCeremony } from '../../../src/host/ceremony/describeCeremony.ts';
import { languageCodes } from '../../../src/i18n/languages.ts';
import { calls, type CallName } from '../../../src/ipc/calls.ts';

const noPhoto = () => '';
const subjects = { account: 'seller@example.com', service: 'api.example.com', file: '/home/me/.cursor/mcp.json' };
const describeCall = async (call: string, input: object, language = 'en', names: Record<string, string> = subjects) =>
  describeCeremony({ of: 'call', call, input, subjects: names }, await loadCeremonyTexts(language, undefined), noPhoto);

const protectedNames = Object.entries(calls).flatMap(([name, { protection }]) =>
  protection === 'proof' && !['approvals.approve', 'batch.approve'].includes(name)
    ? [name as keyof typeof callTexts]
    : [],
);

test('every protected call says on the ceremony page what it does', () => {
  expect(Object.keys(callTexts).toSorted()).toEqual(protectedNames.toSorted());
});

type JsonSchema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;
const toSchema = (schema: unknown): JsonSchema => schema as JsonSchema;
const readSchema = (name: CallName): JsonSchema =>
  toSchema(z.toJSONSchema(calls[name].input, { unrepresentable: 'any' }));
const readFields = ({ properties = {}, anyOf = [] }: JsonSchema): [string, JsonSchema][] => [
  ...Object.entries(properties).map(([name, field]) => [name, toSchema(field)] as [string, JsonSchema]),
  ...anyOf.flatMap((part) => readFields(toSchema(part))),
];
const listFieldNames = (schema: JsonSchema): string[] =>
  readFields(schema).flatMap(([name, field]) => [name, ...listFieldNames(field)]);
/** Creates an input that sets every field, and each field with words to its word `at`. */
const createInput = (schema: JsonSchema, at: number): unknown => {
  const { type, enum: words, const: only, anyOf, items } = schema;
  if (only !== undefined) return only;
  if (words !== undefined) return words[at % words.length];
  if (anyOf !== undefined) return createInput(toSchema(anyOf[0]), at);
  if (type === 'object')
    return Object.fromEntries(readFields(schema).map(([name, field]) => [name, createInput(field, at)]));
  if (type === 'array') return [createInput(toSchema(items), at)];
  return type === 'boolean' ? true : type === 'integer' || type === 'number' ? 7 : 'some text';
};
/** The core leaves out the secrets of the person. */
const secretFields = ['key', 'code'];
const createInputs = (name: CallName): Record<string, unknown>[] => {
  // Only one route of this call needs a proof.
  if (name === 'service.perform') return [{ route: 'readMarketAuthUrl', input: {} }];
  const schema = readSchema(name);
  return [0, 1, 2].map((at) =>
    Object.fromEntries(
      readFields(schema).flatMap(([field, part]) =>
        secretFields.includes(field) ? [] : [[field, createInput(part, at)]],
      ),
    ),
  );
};
/** Ids and formats that have no word of their own. */
const isPlainValue = (value: string): boolean =>
  ['some text', 'jpeg', 'webp'].includes(value) || value.startsWith('MKT_');

test.each(languageCodes.flatMap((language) => protectedNames.map((name) => [name, language] as const)))(
  'the ceremony page describes the call %s in words in the language %s',
  async (name, language) => {
    const raw = new Set(listFieldNames(readSchema(name)));
    for (const input of createInputs(name)) {
      const { rows, facts } = await describeCall(name, input, language);
      const drawn = [
        rows[0]?.act ?? '',
        ...facts.flatMap(({ label, value }) => [label, ...value.split('\n')]),
        ...(rows[0]?.lines ?? []),
      ];
      expect(drawn.length).toBeGreaterThan(0);
      for (const line of drawn) {
        expect([...raw].filter((field) => line === field || line.startsWith(`${field}: `))).toEqual([]);
        const words = Object.values(input).filter((value) => typeof value === 'string' && !isPlainValue(value));
        // In English, some words are the same.
        if (language !== 'en' && name !== 'clients.connect') expect(words).not.toContain(line);
      }
    }
  },
);

test.each([
  ['connect.key', {}, ['Service: api.example.com']],
  ['connect.forget', {}, ['Account: seller@example.com', 'Service: api.example.com']],
  ['app.forgetEverything', {}, ['Account: seller@example.com']],
  [
    'service.perform',
    { route: 'readMarketAuthUrl', input: {} },
    ['Account: seller@example.com', 'Service: api.example.com'],
  ],
  ['clients.connect', { clientId: 'cursor', planId: 'p' }, ['Program: Cursor', 'File: /home/me/.cursor/mcp.json']],
  [
    'connect.practice',
    { shop: 'stocked', fresh: true },
    ['Practice shop: Busy shop', 'Start with a new shop: yes', 'Service: api.example.com'],
  ],
  ['app.settings', { notify: { approvals: false, sales: true } }, ['Notifications: Questions: no\nSales: yes']],
  ['assistants.change', { assistantId: 'Garage helper', paused: false }, ['Assistant: Garage helper']],
])('the page of %s names what it is about', async (call, input, lines) => {
  const { facts } = await describeCall(call, input, 'en', { ...subjects, clientId: 'Cursor' });
  expect(facts.map(({ label, value }) => `${label}: ${value}`)).toEqual(lines);
});

test('a path with a line break or unusual spaces does not look like another path', async () => {
  const { facts } = await describeCall('app.settings', { watchFolder: '/home/me/a\nb  c\u00a0d ' });
  expect(facts[0]?.value).toBe('/home/me/a‹U+000A›b‹U+0020› c‹U+00A0›d‹U+0020›');
});

test('the page shows the rights that an assistant gets, and a field that the page does not know', async () => {
  const access = { scope: 'ask', folders: ['/home/me/a', '/home/me/b'], publishesPerDay: null, moneyCentsPerDay: 1250 };
  const { rows, facts } = await describeCall('assistants.accept', {
    pairingId: 'p_1',
    access,
    later: { x: [1, true] },
  });
  expect(rows[0]?.act).toBe('Let an assistant in');
  expect(facts).toEqual([
    { label: 'Assistant', value: 'p_1' },
    { label: 'It may', value: 'read, write drafts and ask to publish' },
    { label: 'Folders it may read', value: '/home/me/a\n/home/me/b' },
    { label: 'Publishes per day', value: 'no limit' },
    { label: 'Money per day', value: 'US$12.50' },
    { label: 'later', value: 'x: 1\nyes' },
  ]);
});

test('the total names the fees that are not known', async () => {
  const texts = await loadCeremonyTexts('de', 'de-AT,de;q=0.5');
  const total = { amounts: [{ currency: 'EUR', minor: 150 }], unknown: 2 };
  const { facts } = describeCeremony({ of: 'approvals', approvals: [], total }, texts, noPhoto);
  expect(facts[0]).toEqual({ label: 'Summe', value: '€\u00a01,50 + 2 unbekannte Gebühren' });
});

test.each([
  ['system', 'fr-CA, en;q=0.8', 'fr'],
  ['system', 'ja', 'en'],
  ['system', '"><script>,de', 'de'],
  ['pl', 'fr', 'pl'],
  ['system', undefined, 'en'],
])('with the language %s and a browser in %s, the page is in %s', async (setting, accepted, language) => {
  expect((await loadCeremonyTexts(setting, accepted)).language).toBe(language);
});

test.each([
  ['app.pause', { paused: false }, 'Resume all work'],
  ['assistants.change', { assistantId: 'as_1', paused: false }, 'Resume an assistant'],
  ['assistants.change', { assistantId: 'as_1', paused: false, scope: 'ask' }, 'Change what an assistant may do'],
  ['service.perform', { route: 'readMarketAuthUrl', input: {} }, 'Open the sign-in page of the marketplace'],
  ['service.perform', { route: 'endListing', input: {} }, 'End a listing'],
])('the act of %s with %o is named: %s', async (call, input, act) => {
  expect((await describeCall(call, input)).rows[0]?.act).toBe(act);
});

test('the ceremony for removing the last proof warns that nothing is protected afterwards', async () => {
  const removal = { kind: 'passkey', credentialId: 'key' };
  const afterwards = {
    label: 'Afterwards',
    value: 'Nothing is set up any more. A program that presses a button then counts as you.',
  };
  const last = await describeCall('proofs.remove', removal, 'en', { ...subjects, protection: 'none' });
  expect(last.facts).toContainEqual(afterwards);
  expect((await describeCall('proofs.remove', removal)).facts).not.toContainEqual(afterwards);
});

test('a ceremony for connecting a channel names the page and the channel', async () => {
  const input = { route: 'connectChannel', input: { params: { channelId: 'corner' } } };
  const { rows, facts } = await describeCall('service.perform', input);
  expect(rows[0]?.act).toBe('Open the page that connects a channel');
  expect(facts.map(({ value }) => value).join()).toContain('Channel: corner');
});
