import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import screens from '../../i18n/locales/en/screens.json' with { type: 'json' };
import type { ScreensParams } from '../../i18n/screensParams.d.ts';
import { useEffect, useState } from 'react';
import { createMessageTranslator, type Translator } from '../../i18n/format.ts';
import {
  chooseSupportedLanguage as languageIn,
  loadCoreTexts,
  loadScreenTexts,
  type Language,
} from '../../i18n/languages.ts';
import type { Message } from '../../i18n/message.ts';

/** The type of a text with placeholders is the type of its parameters, so that `t` requires the parameters. */
type WithPlaces<Texts, Path extends string = ''> = {
  [K in keyof Texts & string]: Texts[K] extends string
    ? `${Path}${K}` extends keyof ScreensParams
      ? ScreensParams[`${Path}${K}`]
      : string
    : WithPlaces<Texts[K], `${Path}${K}.`>;
};

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: WithPlaces<typeof screens> };
  }
}

export { screens };

/** English is built in; other languages are loaded on demand (see `setLanguage`). */
export const i18n = createInstance({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: screens } },
  initAsync: false,
  // React escapes text itself.
  interpolation: { escapeValue: false },
});
void i18n.use(initReactI18next).init();

/** Returns the text of a key in the current language. The screens are remounted when the language changes. */
export const t = i18n.t;

/** If the system has a locale in the language of the screens, returns that locale; otherwise returns the language. */
export const getCurrentLocale = (): string => {
  const spoken = i18n.language;
  const own = typeof navigator === 'undefined' ? [] : navigator.languages;
  return own.find((code) => code.split('-')[0] === spoken) ?? spoken;
};

/** Null while the screens are English: the core's sentences are English and need no translation. */
let translator: Translator | null = null;

/**
 * If the current language has a text for the message, returns that text; otherwise returns `fallback`. Sentences of the
 * service have no message.
 */
export const translateMessage = (message: Message | null | undefined, fallback: string): string =>
  (message ? translator?.(message) : null) ?? fallback;

/** Returns the language to use: the setting, else the first supported language of the system, else English. */
export const chooseLanguage = (wanted: string | undefined): Language => languageIn(wanted, navigator.languages);

let current: Language | null = null;

/** Loads the texts of a language and switches to it. */
export const setLanguage = async (language: Language): Promise<void> => {
  const [screens, core] =
    language === 'en' ? [null, null] : await Promise.all([loadScreenTexts(language), loadCoreTexts(language)]);
  if (screens !== null) i18n.addResourceBundle(language, 'translation', screens);
  await i18n.changeLanguage(language);
  translator = core && createMessageTranslator(getCurrentLocale(), core);
  document.documentElement.lang = language;
  current = language;
};

/**
 * Loads the wanted language and switches to it. Returns the current language, or null until the first language is
 * loaded.
 */
export const useScreenLanguage = (wanted: string | undefined): Language | null => {
  const [shown, setShown] = useState(current);
  const language = chooseLanguage(wanted);
  useEffect(() => {
    let isWanted = true;
    if (language !== current) void setLanguage(language).then(() => isWanted && setShown(language));
    return () => {
      isWanted = false;
    };
  }, [language]);
  return shown;
};
