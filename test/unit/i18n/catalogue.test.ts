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
const flat = (tree: object, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    if (typeof value === 'string') return [[path + key, value]];
    if (typeof value !== 'object' || value === null) throw new Error(`${path}${key} is no text.`);
    return flat(value, `${path}${key}.`);
  });
const textsOf = async (language: Language): Promise<Record<'core' | 'screens', Flat>> => ({
  core: new Map(flat(await loadCoreTexts(language))),
  screens: new Map(flat(await loadScreenTexts(language))),
});

/** Places and tags, which every language must have: `{{count}}`, `<name/>`. */
const marks = (text: string): string[] => (text.match(/\{\{[^}]*\}\}|<\/?\w+\/?>/g) ?? []).toSorted();
const suffix = /_(zero|one|two|few|many|other)$/;

/** The forms that a language counts with. The one for whole millions, which Romance languages have, is left to "other". */
const formsOf = (language: Language): string[] =>
  new Intl.PluralRules(language)
    .resolvedOptions()
    .pluralCategories.filter((form) => form !== 'many' || language === 'pl');

/** The keys that a language needs: those of English, with its own plural forms in the place of the English ones. */
const keysFor = (language: Language, english: Flat): string[] => [
  ...new Set(
    [...english.keys()].flatMap((key) =>
      suffix.test(key) ? formsOf(language).map((form) => key.replace(suffix, `_${form}`)) : [key],
    ),
  ),
];

/** The English text that a translation is held against; that of a plural form which English has not is the one for many. */
const modelOf = (english: Flat, key: string): string =>
  english.get(key) ?? english.get(key.replace(suffix, '_other')) ?? '';

/** What is wrong with the places of a translation, in words. */
const differsIn = (key: string, text: string, model: string): string[] => {
  // A form that means exactly one thing may leave the number out, or have it where the English one does not.
  const isHeld = (mark: string): boolean => !(key.endsWith('_one') && mark === '{{count}}');
  const [own, theirs] = [marks(text), marks(model)].map((all) => all.filter(isHeld).join(' '));
  return own === theirs ? [] : [`${key} has ${own || 'none'} for ${theirs || 'none'}`];
};

const english = await textsOf('en');

test('every offered language has its translation files, and no other files exist', () => {
  expect(readdirSync(join(root, 'src/i18n/locales')).sort()).toEqual([...languageCodes].sort());
});

describe.each(languageCodes)('the texts in %s', (language) => {
  test.each(['core', 'screens'] as const)('include every %s text and plural form and no others', async (part) => {
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

  test.each(['core', 'screens'] as const)('keep all placeholders and tags of the English %s texts', async (part) => {
    const own = [...(await textsOf(language))[part]];
    expect(own.flatMap(([key, text]) => differsIn(key, text, modelOf(english[part], key)))).toEqual([]);
    expect(own.filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
  });
});

/** Words that a language shares with English, and a text of the screens may consist of. */
const shared: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: ['Name', 'SKU', 'Status', 'Updates', 'Version'],
  fr: [
    ...['Service', 'Photos', 'Date', 'Assistants', 'Assistant', 'Notifications', 'E-mail', 'Message', 'Site', 'SKU'],
    ...['Description', 'extras', 'Format', 'Version', 'photo', 'photos'],
  ],
  it: ['Account', 'E-mail', 'Tour', 'SKU', 'min', 'min s', 'h min', 'file', 'Marketplace'],
  es: ['Plan', 'SKU', 'min', 'min s', 'h min', 'Marketplace', 'extras'],
  nl: [
    ...['Account', 'Help', 'Postcode', 'E-mail', 'Filters', 'Site', 'SKU', 'min', 'min s', 'Upload', 'Marketplace'],
    ...['pixels', 'Updates', 'Status'],
  ],
  pl: ['Plan', 'folder', 'E-mail', 'SKU', 'min', 'min s', 'Status'],
};
/** What is left of a text without its places, marks and numbers. */
const lettersOf = (text: string): string => text.replace(/\{\{\w+\}\}|<\/?\w+\/?>/g, '').replace(/[^\p{L}]/gu, '');

test.each(languageCodes.filter((language) => language !== 'en'))(
  'the screens are translated into %s',
  async (language) => {
    const known = shared[language].map(lettersOf);
    const same = [...(await textsOf(language)).screens].filter(([key, text]) => {
      const letters = lettersOf(text);
      return letters.length > 2 && modelOf(english.screens, key) === text && !known.includes(letters);
    });
    expect(same).toEqual([]);
  },
);

/** Signs as keyboards have them, where the language writes others: straight quotes, and spaces at which a line may break. */
const looseSigns: Partial<Record<Language, RegExp>> = {
  de: /["”]/,
  // "? affiche" names the key itself.
  fr: /(?<!\u00a0):(?=\s|$)|(?<!\u202f|, )[;!?](?=\s|$)|«(?!\u00a0)|(?<!\u00a0)»|["“”]/,
};

test.each(Object.entries(looseSigns))(
  'the %s texts use the quotes and spaces of that language',
  async (language, loose) => {
    const { core, screens } = await textsOf(language as Language);
    expect([...core, ...screens].filter(([, text]) => loose.test(text))).toEqual([]);
  },
);

/** Such a time has a full stop of its own: "vor 1 Min." */
test('no German sentence ends with a relative time, which already has a full stop', async () => {
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

test('the fixes for a refused publish have the same wording in the screens and in the contract', () => {
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
