import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { publishFixes, publishRefusals } from '../../../src/contract/index.ts';
import { languageCodes, loadCoreTexts, loadScreenTexts, type Language } from '../../../src/i18n/languages.ts';

const root = join(import.meta.dirname, '..', '..', '..');

type Flat = ReadonlyMap<string, string>;
const flattenTexts = (tree: object, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    if (typeof value === 'string') return [[path + key, value]];
    if (typeof value !== 'object' || value === null) throw new Error(`${path}${key} is no text.`);
    return flattenTexts(value, `${path}${key}.`);
  });
const textsOf = async (language: Language): Promise<Record<'core' | 'screens', Flat>> => ({
  core: new Map(flattenTexts(await loadCoreTexts(language))),
  screens: new Map(flattenTexts(await loadScreenTexts(language))),
});

/** Returns the placeholders and tags of a text, for example `{{count}}` and `<name/>`. */
const findMarks = (text: string): string[] => (text.match(/\{\{[^}]*\}\}|<\/?\w+\/?>/g) ?? []).toSorted();
const suffix = /_(zero|one|two|few|many|other)$/;

/** Returns the plural forms of a language. Romance languages use "other" for whole millions. */
const formsOf = (language: Language): string[] =>
  new Intl.PluralRules(language)
    .resolvedOptions()
    .pluralCategories.filter((form) => form !== 'many' || language === 'pl');

/** Returns the keys that a language needs: the English keys, with the plural forms of the language. */
const keysFor = (language: Language, english: Flat): string[] => [
  ...new Set(
    [...english.keys()].flatMap((key) =>
      suffix.test(key) ? formsOf(language).map((form) => key.replace(suffix, `_${form}`)) : [key],
    ),
  ),
];

/** Returns the English text to compare with a translation; "other" replaces plural forms that English lacks. */
const modelOf = (english: Flat, key: string): string =>
  english.get(key) ?? english.get(key.replace(suffix, '_other')) ?? '';

/** Describes the placeholders of a translation that differ from the English text. */
const differsIn = (key: string, text: string, model: string): string[] => {
  // The form for exactly one can omit the number, whether or not English has it.
  const isCompared = (mark: string): boolean => !(key.endsWith('_one') && mark === '{{count}}');
  const [own, theirs] = [findMarks(text), findMarks(model)].map((all) => all.filter(isCompared).join(' '));
  return own === theirs ? [] : [`${key} has ${own || 'none'} for ${theirs || 'none'}`];
};

const english = await textsOf('en');

test('every offered language has a translation folder, and no other folder exists', () => {
  expect(readdirSync(join(root, 'src/i18n/locales')).sort()).toEqual([...languageCodes].sort());
});

describe.each(languageCodes)('the texts in %s', (language) => {
  test.each(['core', 'screens'] as const)('have exactly the required keys and plural forms: %s', async (part) => {
    const own = [...(await textsOf(language))[part].keys()];
    const wanted = keysFor(language, english[part]);
    expect(
      wanted.filter((key) => !own.includes(key)),
      'missing',
    ).toEqual([]);
    expect(
      own.filter((key) => !wanted.includes(key)),
      'superfluous',
    ).toEqual([]);
  });

  test.each(['core', 'screens'] as const)('have all placeholders and tags of the English %s texts', async (part) => {
    const own = [...(await textsOf(language))[part]];
    expect(own.flatMap(([key, text]) => differsIn(key, text, modelOf(english[part], key)))).toEqual([]);
    expect(own.filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
  });
});

/** Texts that are the same in this language and in English. */
const shared: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: ['Name', 'PIN', 'SKU', 'Status', 'Updates', 'Version'],
  fr: [
    ...['Service', 'Photos', 'Date', 'Assistants', 'Assistant', 'Notifications', 'E-mail', 'Message', 'Site', 'SKU'],
    ...['Description', 'extras', 'Format', 'Version', 'photo', 'photos', 'page', 'pages'],
  ],
  it: ['Account', 'E-mail', 'PIN', 'Tour', 'SKU', 'min', 'min s', 'h min', 'file', 'Marketplace'],
  es: ['PIN', 'Plan', 'SKU', 'min', 'min s', 'h min', 'Marketplace', 'extras'],
  nl: [
    ...['Account', 'Help', 'Postcode', 'E-mail', 'Filters', 'Site', 'SKU', 'min', 'min s', 'Upload', 'Marketplace'],
    ...['Details', 'pixels', 'Updates', 'Status'],
  ],
  pl: ['Plan', 'folder', 'E-mail', 'SKU', 'min', 'min s', 'Status'],
};
/** Returns only the letters of a text, without placeholders, tags and numbers. */
const lettersOf = (text: string): string => text.replace(/\{\{\w+\}\}|<\/?\w+\/?>/g, '').replace(/[^\p{L}]/gu, '');

test.each(languageCodes.filter((language) => language !== 'en'))(
  'the window texts are translated into %s',
  async (language) => {
    const known = shared[language].map(lettersOf);
    const same = [...(await textsOf(language)).screens].filter(([key, text]) => {
      const letters = lettersOf(text);
      return letters.length > 2 && modelOf(english.screens, key) === text && !known.includes(letters);
    });
    expect(same).toEqual([]);
  },
);

/** Keyboard characters that are wrong in the language: straight quotes, and breaking spaces before punctuation. */
const looseSigns: Partial<Record<Language, RegExp>> = {
  de: /["”]/,
  // "? affiche" refers to the question mark key.
  fr: /(?<!\u00a0):(?=\s|$)|(?<!\u202f|, )[;!?](?=\s|$)|«(?!\u00a0)|(?<!\u00a0)»|["“”]/,
};

test.each(Object.entries(looseSigns))(
  'the %s texts use the quotes and spaces of their language',
  async (language, loose) => {
    const { core, screens } = await textsOf(language as Language);
    expect([...core, ...screens].filter(([, text]) => loose.test(text))).toEqual([]);
  },
);

/** A German relative time already ends with a full stop: "vor 1 Min." */
test('no German relative time is followed by a second full stop', async () => {
  const { screens } = await textsOf('de');
  expect([...screens].filter(([, text]) => /<when\s?\/>\./.test(text))).toEqual([]);
});

test('the generated parameter types match the English texts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'));
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/makeTextTypes.mjs'), folder]);
    for (const file of ['coreParams.d.ts', 'screensParams.d.ts']) {
      const [made, is] = [folder, join(root, 'src/i18n')].map((from) => readFileSync(join(from, file), 'utf8'));
      expect(made === is, 'Run "npm run texts".').toBe(true);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the window and the contract word the fixes for a refused publish identically', () => {
  const worded = publishRefusals.flatMap((code) => {
    const { sentence, label, more } = publishFixes[code];
    const other = more?.[0];
    return [
      [`fixes.sentence.${code}`, sentence],
      [`fixes.label.${code}`, label],
      ...(other ? [[`fixes.more.${code}`, other.label]] : []),
    ];
  });
  expect([...english.screens].filter(([key]) => key.startsWith('fixes.')).sort()).toEqual(worded.sort());
});
