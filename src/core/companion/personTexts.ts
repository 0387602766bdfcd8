import { formatEnglishMessage } from '../../i18n/english.ts';
import { createMessageTranslator, type Translator } from '../../i18n/format.ts';
import { chooseSupportedLanguage, loadCoreTexts, type Language } from '../../i18n/languages.ts';
import { createMessage, type TextName } from '../../i18n/message.ts';
import type { Settings } from '../base/settings.ts';

export type PersonText = TextName<'card'>;
export type PersonTexts = { language: Language; text: (name: PersonText) => string };

const createLanguageTexts = (language: Language, translator: Translator): PersonTexts => ({
  language,
  text: (name) => {
    const says = createMessage(`card.${name}`);
    return translator(says) ?? formatEnglishMessage(says);
  },
});

export const englishTexts: PersonTexts = createLanguageTexts('en', formatEnglishMessage);

/** Creates a function that returns the texts in the language of the windows. */
export const createPersonTexts = (settings: () => Pick<Settings, 'language'>): (() => Promise<PersonTexts>) => {
  let known = englishTexts;
  // The locale of a process never changes, and reading it takes as long as the rest of a short tool call.
  let locale: string | null = null;
  return async () => {
    locale ??= Intl.DateTimeFormat().resolvedOptions().locale;
    const language = chooseSupportedLanguage(settings().language, [locale]);
    if (language === known.language) return known;
    const texts =
      language === 'en'
        ? englishTexts
        : createLanguageTexts(language, createMessageTranslator(language, await loadCoreTexts(language)));
    known = texts;
    return texts;
  };
};
