import { i18n } from './t.ts';

/** The languages of the screens, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const texts: Readonly<Record<Exclude<Language, 'en'>, () => Promise<object>>> = {
  de: async () => (await import('./de/index.ts')).de,
};

const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code);

/** The language to speak: the one that was set, else the first of the system's that the screens know, else English. */
export const languageOf = (wanted: string | undefined): Language => {
  const codes = wanted === undefined || wanted === 'system' ? navigator.languages : [wanted];
  return codes.map((code) => code.split('-')[0] ?? '').find(isLanguage) ?? 'en';
};

/** Loads the texts of a language and turns to it. */
export const speak = async (language: Language): Promise<void> => {
  if (language !== 'en' && !i18n.hasResourceBundle(language, 'translation'))
    i18n.addResourceBundle(language, 'translation', await texts[language]());
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
};
