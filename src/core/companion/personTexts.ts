import { formatEnglish } from '../../i18n/english.ts';
import { createTranslator, type Translator } from '../../i18n/format.ts';
import { languageOf, loadCore, type Language } from '../../i18n/languages.ts';
import { message, type TextName } from '../../i18n/message.ts';
import type { Settings } from '../base/settings.ts';

/** What the person reads in the program of an assistant. */
export type PersonText = TextName<'card'>;
/** Such texts in one language, and its code. */
export type PersonTexts = { language: Language; text: (name: PersonText) => string };

const textsOf = (language: Language, translator: Translator): PersonTexts => ({
  language,
  text: (name) => {
    const says = message(`card.${name}`);
    return translator(says) ?? formatEnglish(says);
  },
});

/** The texts that the person reads in an assistant's program, in English. */
export const englishTexts: PersonTexts = textsOf('en', formatEnglish);

/** The same in the language of the windows; `system` is the language that the system gives this process. */
export const createPersonTexts = (settings: () => Pick<Settings, 'language'>): (() => Promise<PersonTexts>) => {
  let known = englishTexts;
  return async () => {
    const language = languageOf(settings().language, [Intl.DateTimeFormat().resolvedOptions().locale]);
    if (language === known.language) return known;
    const texts =
      language === 'en' ? englishTexts : textsOf(language, createTranslator(language, await loadCore(language)));
    known = texts;
    return texts;
  };
};
