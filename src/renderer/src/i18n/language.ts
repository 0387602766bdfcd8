import { useEffect, useState } from 'react';
import { createTranslator, type Translator } from '../../../i18n/format.ts';
import { languageOf as languageIn, loadCore, loadScreens, type Language } from '../../../i18n/languages.ts';
import type { Message } from '../../../i18n/message.ts';
import { locale } from './locale.ts';
import { i18n } from './t.ts';

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

/** Loads the texts of a language and turns to it. */
export const setLanguage = async (language: Language): Promise<void> => {
  const [screens, core] =
    language === 'en' ? [null, null] : await Promise.all([loadScreens(language), loadCore(language)]);
  if (screens !== null) i18n.addResourceBundle(language, 'translation', screens);
  await i18n.changeLanguage(language);
  translator = core && createTranslator(locale(), core);
  document.documentElement.lang = language;
};

/** The language that the screens are in; null until the first is loaded. */
export const useLanguage = (wanted: string | undefined): Language | null => {
  const [current, setCurrent] = useState<Language | null>(null);
  const language = languageOf(wanted);
  useEffect(() => {
    let isWanted = true;
    void setLanguage(language).then(() => isWanted && setCurrent(language));
    return () => {
      isWanted = false;
    };
  }, [language]);
  return current;
};
