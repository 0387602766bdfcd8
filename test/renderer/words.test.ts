import { describe, expect, test } from 'vitest';
import { de } from '../../src/renderer/src/i18n/de/index.ts';
import { en } from '../../src/renderer/src/i18n/en/index.ts';
import { es } from '../../src/renderer/src/i18n/es/index.ts';
import { fr } from '../../src/renderer/src/i18n/fr/index.ts';
import { it } from '../../src/renderer/src/i18n/it/index.ts';
import { nl } from '../../src/renderer/src/i18n/nl/index.ts';
import { pl } from '../../src/renderer/src/i18n/pl/index.ts';
import { languages } from '../../src/words/languages.ts';

type Tree = { readonly [key: string]: string | Tree };

const flat = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );

/** Placeholders and tags, which every language must have: `{{count}}`, `<name/>`. */
const marks = (text: string): string[] => (text.match(/\{\{\w+\}\}|<\/?\w+\/?>/g) ?? []).sort();

/** What is left of a text without its places, marks and numbers. */
const lettersOf = (text: string): string => text.replace(/\{\{\w+\}\}|<\/?\w+\/?>/g, '').replace(/[^\p{L}]/gu, '');

/** The plural forms of a key are compared with the English form for many. */
const englishOf = (english: Map<string, string>, key: string): string | undefined =>
  english.get(key) ?? english.get(key.replace(/_(few|many)$/, '_other'));

/** Words that a language shares with English, and a text may consist of. */
const shared: Readonly<Record<string, readonly string[]>> = {
  de: ['Name', 'Version'],
  fr: [
    ...['Service', 'Photos', 'Date', 'Assistants', 'Notifications', 'E-mail', 'Message', 'Site', 'SKU'],
    ...['Description', 'extras', 'Format', 'Version'],
  ],
  it: ['Account', 'E-mail', 'Tour', 'SKU', 'min', 'min s', 'h min', 'file', 'Marketplace'],
  es: ['Plan', 'SKU', 'min', 'min s', 'h min', 'Marketplace', 'extras'],
  nl: [
    ...['Account', 'Help', 'Postcode', 'E-mail', 'Filters', 'Site', 'SKU', 'min', 'min s', 'Upload', 'Marketplace'],
    ...['pixels', 'Updates'],
  ],
  pl: ['Plan', 'folder', 'E-mail', 'SKU', 'min', 'min s', 'Format'],
};

const texts: Readonly<Record<string, Tree>> = { de, fr, it, es, nl, pl };

/** The forms that a language counts with. The one for whole millions, which Romance languages have, is left to “other”. */
const formsOf = (code: string): string[] =>
  new Intl.PluralRules(code)
    .resolvedOptions()
    .pluralCategories.filter((form) => form !== 'many' || code === 'pl')
    .sort();

const english = new Map(flat(en));

test('all languages that are offered are looked at', () => {
  expect(Object.keys({ en, ...texts }).sort()).toEqual(Object.keys(languages).sort());
});

describe.each(Object.entries(texts))('%s', (code, words) => {
  const own = flat(words);

  test('has the placeholders and tags of the English texts', () => {
    const wrong = own.filter(([key, text]) => {
      const model = englishOf(english, key);
      if (model === undefined) return true;
      // A language may leave the number out of a form that means exactly one thing.
      const without = key.endsWith('_one') ? (all: string[]) => all.filter((mark) => mark !== '{{count}}') : null;
      const [mine, theirs] = [marks(text), marks(model)];
      return JSON.stringify(without ? without(mine) : mine) !== JSON.stringify(without ? without(theirs) : theirs);
    });
    expect(wrong).toEqual([]);
  });

  test('has exactly the plural forms that the language has', () => {
    const forms = formsOf(code);
    const stems = own.filter(([key]) => key.endsWith('_other')).map(([key]) => key.replace(/_other$/, ''));
    const keys = new Set(own.map(([key]) => key));
    expect(stems.flatMap((stem) => forms.filter((form) => !keys.has(`${stem}_${form}`)))).toEqual([]);
  });

  test('is translated: no text is the English one, and none is empty', () => {
    const same = own.filter(([key, text]) => {
      const letters = lettersOf(text);
      const own = shared[code]?.map(lettersOf) ?? [];
      return text.trim() === '' || (letters.length > 2 && englishOf(english, key) === text && !own.includes(letters));
    });
    expect(same).toEqual([]);
  });
});
