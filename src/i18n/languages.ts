import type { Texts } from './format.ts';

/** The languages, each by its own name. A new one is its files in `locales/` and a line here. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
  es: 'Español',
  nl: 'Nederlands',
  pl: 'Polski',
} as const;
export type Language = keyof typeof languages;

const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code);

/** The codes of the languages, for what validates one. */
export const languageCodes: readonly Language[] = Object.keys(languages).filter(isLanguage);

/** The language to use: the one that was set, else the first of the system's that is known here, else English. */
export const languageOf = (wanted: string | undefined, system: readonly string[]): Language => {
  const codes = wanted === undefined || wanted === 'system' ? system : [wanted];
  return codes.map((code) => code.split(/[-_.]/)[0] ?? '').find(isLanguage) ?? 'en';
};

/** Loads what the core and the hosts say in a language. */
export const loadCore = async (language: Language): Promise<Texts> => {
  const file = (await import(`./locales/${language}/core.json`, { with: { type: 'json' } })) as { default: Texts };
  return file.default;
};

/** Loads the texts of the screens in a language. */
export const loadScreens = async (language: Language): Promise<object> => {
  const file = (await import(`./locales/${language}/screens.json`, { with: { type: 'json' } })) as { default: object };
  return file.default;
};
