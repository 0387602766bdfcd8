import type { Texts } from './format.ts';

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

const isKnownLanguage = (code: string): code is Language => Object.hasOwn(languages, code);

export const languageCodes: readonly Language[] = Object.keys(languages).filter(isKnownLanguage);

export const chooseSupportedLanguage = (languageSetting: string | undefined, system: readonly string[]): Language => {
  const codes = languageSetting === undefined || languageSetting === 'system' ? system : [languageSetting];
  return codes.map((code) => code.split(/[-_.]/)[0] ?? '').find(isKnownLanguage) ?? 'en';
};

export const loadCoreTexts = async (language: Language): Promise<Texts> => {
  const file = (await import(`./locales/${language}/core.json`, { with: { type: 'json' } })) as { default: Texts };
  return file.default;
};

export const loadScreenTexts = async (language: Language): Promise<object> => {
  const file = (await import(`./locales/${language}/screens.json`, { with: { type: 'json' } })) as { default: object };
  return file.default;
};
