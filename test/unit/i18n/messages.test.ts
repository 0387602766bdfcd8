import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatEnglishText } from '../../../src/i18n/english.ts';
import { createMessageTranslator, formatMoneyAmount } from '../../../src/i18n/format.ts';
import { chooseSupportedLanguage, loadCoreTexts } from '../../../src/i18n/languages.ts';
import { createMessage } from '../../../src/i18n/message.ts';

test('numbers, money and nested texts are formatted for the language', async () => {
  const german = createMessageTranslator('de', await loadCoreTexts('de'));
  expect(german(createMessage('items.items', { count: 1_200 }))).toBe('1.200 Artikel');
  const uploading = createMessage('items.uploading', { done: 2, count: 5 });
  expect(german(createMessage('items.waiting', { state: uploading }))).toBe(
    'Wird hochgeladen, 2 von 5 Fotos, wartet auf den Dienst',
  );
  const fee = { minor: 1_035, currency: 'USD' };
  expect(german(createMessage('prompts.publishFor', { fee }))).toBe('Für 10,35\u00a0US$ veröffentlichen');
  expect(formatEnglishText('prompts.publishFor', { fee })).toBe('Publish for US$10.35');
});

test.each([
  ['en-US', 1_035, 'USD', 'US$10.35'],
  ['en-CA', 1_035, 'CAD', 'CA$10.35'],
  ['de', 500, 'JPY', '500\u00a0¥'],
  ['de', 1_035, null, '10.35'],
  ['de', 1_035, 'dollars', '10.35'],
])('in %s, the amount %i in %s is formatted as %s', (locale, minor, currency, written) => {
  expect(formatMoneyAmount(locale, minor, currency)).toBe(written);
});

test('an unknown text or value has no translation', async () => {
  const german = createMessageTranslator('de', await loadCoreTexts('de'));
  expect(german({ key: 'problems.OF_A_LATER_VERSION' })).toBeNull();
  expect(german({ key: 'problems.constructor' })).toBeNull();
  expect(german({ key: 'items.waiting', values: { state: { key: 'items.gone' } } })).toBeNull();
  expect(german({ key: 'items.waiting' })).toBeNull();
});

test.each([
  ['de', ['en-US'], 'de'],
  ['system', ['sv', 'de-AT', 'en'], 'de'],
  ['system', ['de_DE.UTF-8'], 'de'],
  ['system', ['sv-SE'], 'en'],
  ['xx', ['de'], 'en'],
])('the language setting %s on a system with %s selects %s', (wanted, system, spoken) => {
  expect(chooseSupportedLanguage(wanted, system)).toBe(spoken);
});

/**
 * Problems whose sentence comes from elsewhere, appears only in a terminal or a foreign client, or is built from data.
 */
const exempt = [
  'PUBLISH_BLOCKED',
  'PHOTO_REFUSED',
  'INVALID_REQUEST',
  'INVALID_EMAIL',
  'INVALID_CODE',
  'WRITER_SETTINGS',
  'UI_PORT',
  'NOT_THE_WINDOW',
  'COMPANION_AWAY',
];

test('every problem of the core and the hosts has a translatable sentence', () => {
  const src = join(import.meta.dirname, '..', '..', '..', 'src');
  const files = ['core', 'host', 'headless', 'main'].flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const loose = files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/new Problem\(\s*'([A-Z_]+)',|code: '([A-Z_]+)',\s*sentence/g)]
      .map(([, code, other]) => code ?? other ?? '')
      .filter((code) => !exempt.includes(code))
      .map((code) => `${file}: ${code}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(loose).toEqual([]);
});
