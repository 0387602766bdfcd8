import { languageOf as languageIn, languages, type Language } from '../../../words/languages.ts';
import { i18n } from './t.ts';
import { sayIn } from './told.ts';

export { languages, type Language };

const texts: Readonly<Record<Exclude<Language, 'en'>, () => Promise<object>>> = {
  de: async () => (await import('./de/index.ts')).de,
  fr: async () => (await import('./fr/index.ts')).fr,
  it: async () => (await import('./it/index.ts')).it,
  es: async () => (await import('./es/index.ts')).es,
  nl: async () => (await import('./nl/index.ts')).nl,
  pl: async () => (await import('./pl/index.ts')).pl,
};

/** The language to speak: the one that was set, else the first of the system's that the screens know, else English. */
export const languageOf = (wanted: string | undefined): Language => languageIn(wanted, navigator.languages);

/** Loads the texts of a language and turns to it. */
export const speak = async (language: Language): Promise<void> => {
  const [own, core] =
    language === 'en' ? [null, null] : await Promise.all([texts[language](), languages[language].texts()]);
  if (own !== null) i18n.addResourceBundle(language, 'translation', own);
  await i18n.changeLanguage(language);
  sayIn(core);
  document.documentElement.lang = language;
};
