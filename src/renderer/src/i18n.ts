import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import screens from '../../i18n/locales/en/screens.json' with { type: 'json' };
import type { ScreensParams } from '../../i18n/screensParams.d.ts';
import { useEffect, useState } from 'react';
import { createTranslator, type Translator } from '../../i18n/format.ts';
import { languageOf as languageIn, loadCore, loadScreens, type Language } from '../../i18n/languages.ts';
import type { Message } from '../../i18n/message.ts';

/** The English texts as types: what has places is told by them, so that `t` asks for their values. */
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

/** The English texts of the screens. */
export { screens };

/** English is always there; another language comes when it is wanted (see `setLanguage`). */
export const i18n = createInstance({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: screens } },
  initAsync: false,
  // React escapes what it draws.
  interpolation: { escapeValue: false },
});
void i18n.use(initReactI18next).init();

/** The text of a key in the current language. The screens are drawn anew when the language changes. */
export const t = i18n.t;

/** How numbers, dates and money are written: as the system does where it speaks the language of the screens, else as the language does. */
export const locale = (): string => {
  const spoken = i18n.language;
  const own = typeof navigator === 'undefined' ? [] : navigator.languages;
  return own.find((code) => code.split('-')[0] === spoken) ?? spoken;
};

/** The core writes English itself, so that its sentences are left as they come while the screens are English. */
let translator: Translator | null = null;

/**
 * A sentence of the core in the language of the screens: made of its message, where the language has it, else as it came.
 * Texts of the service have no message, and stay as they are.
 */
export const translate = (message: Message | null | undefined, fallback: string): string =>
  (message ? translator?.(message) : null) ?? fallback;

/** The language to use: the one that was set, else the first of the system's that the screens know, else English. */
export const languageOf = (wanted: string | undefined): Language => languageIn(wanted, navigator.languages);

/** The language that the screens are in; null until the first is loaded. */
let current: Language | null = null;

/** Loads the texts of a language and turns to it. */
export const setLanguage = async (language: Language): Promise<void> => {
  const [screens, core] =
    language === 'en' ? [null, null] : await Promise.all([loadScreens(language), loadCore(language)]);
  if (screens !== null) i18n.addResourceBundle(language, 'translation', screens);
  await i18n.changeLanguage(language);
  translator = core && createTranslator(locale(), core);
  document.documentElement.lang = language;
  current = language;
};

/** The language that the screens are in, turning to the wanted one; null until the first is loaded. */
export const useLanguage = (wanted: string | undefined): Language | null => {
  const [shown, setShown] = useState(current);
  const language = languageOf(wanted);
  useEffect(() => {
    let isWanted = true;
    if (language !== current) void setLanguage(language).then(() => isWanted && setShown(language));
    return () => {
      isWanted = false;
    };
  }, [language]);
  return shown;
};
