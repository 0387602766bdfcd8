import { formatEnglish } from '../../i18n/english.ts';
import { createTranslator, type Translator } from '../../i18n/format.ts';
import { languageOf, loadCore, type Language } from '../../i18n/languages.ts';
import { message, type TextName } from '../../i18n/message.ts';
import type { Settings } from '../base/settings.ts';

/** A text for the person inside an assistant's program. */
export type PersonText = TextName<'card'>;
/** These texts in one language. */
export type PersonTexts = { language: Language; text: (name: PersonText) => string };

const textsOf = (language: Language, translator: Translator): PersonTexts => ({
  language,
  text: (name) => {
    const says = message(`card.${name}`);
    return translator(says) ?? formatEnglish(says);
  },
});

/** These texts in English. */
export const englishTexts: PersonTexts = textsOf('en', formatEnglish);

/** Creates the reader of these texts in the windows' language; `system` is the locale of this process. */
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
