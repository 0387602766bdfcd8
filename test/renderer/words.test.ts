import { describe, expect, test } from 'vitest';
import { de } from '../../src/renderer/src/i18n/de/index.ts';
import { en } from '../../src/renderer/src/i18n/en/index.ts';

type Tree = { readonly [key: string]: string | Tree };

const flat = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );

/** Placeholders and tags, which every language must have: `{{count}}`, `<name/>`. */
const marks = (text: string): string[] => (text.match(/\{\{\w+\}\}|<\/?\w+\/?>/g) ?? []).sort();

/** The plural forms of a key are compared with the English form for many. */
const englishOf = (english: Map<string, string>, key: string): string | undefined =>
  english.get(key) ?? english.get(key.replace(/_(few|many)$/, '_other'));

/** Texts that may be the same in another language: names, and words that it shares with English. */
const shared: Readonly<Record<string, readonly string[]>> = {
  de: [
    'account.keys.name',
    'account.profile.name',
    'settings.version',
    'assistants.of',
    'connect.code',
    'parts.time.s',
    'photo.title',
  ],
};

const languages: Readonly<Record<string, { words: Tree; forms: readonly string[] }>> = {
  de: { words: de, forms: ['one', 'other'] },
};

const english = new Map(flat(en));

describe.each(Object.entries(languages))('%s', (code, { words, forms }) => {
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
    const used = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
    expect([...used].sort()).toEqual([...forms].sort());
    const stems = own.filter(([key]) => key.endsWith('_other')).map(([key]) => key.replace(/_other$/, ''));
    const keys = new Set(own.map(([key]) => key));
    expect(stems.flatMap((stem) => forms.filter((form) => !keys.has(`${stem}_${form}`)))).toEqual([]);
  });

  test('is translated: no text is the English one, and none is empty', () => {
    const same = own.filter(([key, text]) => {
      const letters = text.replace(/\{\{\w+\}\}|<\/?\w+\/?>/g, '').replace(/[^\p{L}]/gu, '');
      return (
        text.trim() === '' || (letters.length > 2 && englishOf(english, key) === text && !shared[code]?.includes(key))
      );
    });
    expect(same).toEqual([]);
  });
});
