import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { en } from '../../src/words/en/index.ts';
import { english } from '../../src/words/inEnglish.ts';
import { languageOf, languages, type Language } from '../../src/words/languages.ts';
import { saying, type Text, type Texts } from '../../src/words/saying.ts';
import { speaker } from '../../src/words/speaker.ts';

const formsOf = (text: Text): string[] =>
  typeof text === 'string' ? [text] : Object.values(text).filter((form): form is string => form !== undefined);
const placesOf = (text: Text): string[] =>
  [
    ...new Set(formsOf(text).flatMap((form) => [...form.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? ''))),
  ].sort();
const all = (texts: Texts): [string, Text][] =>
  Object.entries(texts).flatMap(([area, own]) =>
    Object.entries(own).map(([name, text]): [string, Text] => [`${area}.${name}`, text]),
  );

describe.each(Object.keys(languages) as Language[])('%s', (language) => {
  test('every text has the places of the English one, and says something', async () => {
    const texts: Texts = await languages[language].texts();
    const found = new Map(all(texts));
    const differing = all(en).filter(([key, text]) => {
      const own = found.get(key);
      const isSaid = own !== undefined && formsOf(own).every((form) => form.trim() !== '');
      return !isSaid || JSON.stringify(placesOf(own)) !== JSON.stringify(placesOf(text));
    });
    expect(differing.map(([key]) => key)).toEqual([]);
    expect(found.size).toBe(all(en).length);
  });

  test('a text with plural forms has each one that the language counts with', async () => {
    const texts: Texts = await languages[language].texts();
    const rules = new Intl.PluralRules(language);
    const wanted = [...new Set([0, 1, 2, 3, 5, 11, 22, 1.5].map((count) => rules.select(count)))];
    const lacking = all(texts).filter(
      ([, text]) => typeof text !== 'string' && wanted.some((form) => form !== 'many' && text[form] === undefined),
    );
    expect(lacking.map(([key]) => key)).toEqual([]);
  });
});

test('numbers, money and texts inside a text are said the way of the language', async () => {
  const german = speaker('de', await languages.de.texts());
  expect(german(saying('items.items', { count: 1_200 }))).toBe('1.200 Artikel');
  const uploading = saying('items.uploading', { done: 2, count: 5 });
  expect(german(saying('items.waiting', { state: uploading }))).toBe(
    'Wird hochgeladen, 2 von 5 Fotos, wartet auf den Dienst',
  );
  const fee = { minor: 1_035, currency: 'USD' };
  expect(german(saying('prompts.publishFor', { fee }))).toBe('Für 10,35\u00a0US$ veröffentlichen');
  expect(english('prompts.publishFor', { fee })).toBe('Publish for US$10.35');
});

test('what a language does not know is left to the English sentence', async () => {
  const german = speaker('de', await languages.de.texts());
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
])('with %s set on a system of %s, %s is spoken', (wanted, system, spoken) => {
  expect(languageOf(wanted, system)).toBe(spoken);
});

/** Sentences that others give, that only a terminal or a foreign sender gets, or that carry what to say them from. */
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

test('no problem of the core and the hosts is made of a sentence that only English has', () => {
  const src = join(import.meta.dirname, '..', '..', 'src');
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
