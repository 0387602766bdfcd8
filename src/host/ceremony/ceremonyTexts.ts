import { formatEnglishMessage } from '../../i18n/english.ts';
import { createMessageTranslator, formatMoneyAmount } from '../../i18n/format.ts';
import { chooseSupportedLanguage, loadCoreTexts, type Language } from '../../i18n/languages.ts';
import { createMessage, type Message } from '../../i18n/message.ts';
import { ceremonyWords, type CeremonyPageData, type CeremonyWord } from '../../ipc/ceremonyPage.ts';
import type { FormatMessage } from '../hostTranslator.ts';

export type CeremonyTexts = {
  language: Language;
  format: FormatMessage;
  /** Returns the sentence unchanged if the language has no translation. */
  translate: (says: Message | undefined, sentence: string) => string;
  formatMoney: (minor: number, currency: string | null) => string;
};

/** Returns the languages of the header `Accept-Language`, the preferred one first. */
const parseAcceptedLanguages = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
    .filter((code) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code))
    .slice(0, 20);

/** Loads the texts in the language of the setting or, if it is `system`, in the language of the browser. */
export const loadCeremonyTexts = async (
  setting: string,
  acceptLanguage: string | undefined,
): Promise<CeremonyTexts> => {
  const accepted = parseAcceptedLanguages(acceptLanguage);
  const language = chooseSupportedLanguage(setting, accepted);
  // British English never writes a bare $.
  const locale = language === 'en' ? 'en-GB' : (accepted.find((code) => code.split('-')[0] === language) ?? language);
  const translateMessage =
    language === 'en' ? formatEnglishMessage : createMessageTranslator(locale, await loadCoreTexts(language));
  return {
    language,
    format: (key, ...values) => {
      const message = createMessage(key, ...values);
      return translateMessage(message) ?? formatEnglishMessage(message);
    },
    translate: (says, sentence) => (says === undefined ? null : translateMessage(says)) ?? sentence,
    formatMoney: (minor, currency) => formatMoneyAmount(locale, minor, currency),
  };
};

/** Returns the words of the page. The page fills in `{{time}}` itself, because the time changes. */
export const listCeremonyWords = ({ format }: CeremonyTexts): CeremonyPageData['words'] =>
  Object.fromEntries(
    ceremonyWords.map((word) => [
      word,
      word === 'pinWaitsFor' ? format('ceremony.pinWaitsFor', { time: '{{time}}' }) : format(`ceremony.${word}`),
    ]),
  ) as Record<CeremonyWord, string>;
