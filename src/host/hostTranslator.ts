import { formatEnglishMessage } from '../i18n/english.ts';
import { chooseSupportedLanguage, loadCoreTexts, type Language } from '../i18n/languages.ts';
import { createMessage, type MessageArgs, type Message, type MessageKey } from '../i18n/message.ts';
import { createMessageTranslator, type Translator } from '../i18n/format.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { CallHandlers } from '../ipc/calls.ts';

export type FormatMessage = <K extends MessageKey>(key: K, ...values: MessageArgs<K>) => string;

type LanguageSource = Pick<Companion, 'onChanged'> & {
  handlers: Pick<CallHandlers, 'app.state'>;
};

export type HostTranslator = {
  format: FormatMessage;
  /** Returns the sentence unchanged if the language has no translation. */
  translate: (says: Message | undefined, sentence: string) => string;
  /** The language is a code or `system`. The promise resolves after the texts have been loaded. */
  setLanguage: (wanted: string) => Promise<void>;
  language: () => Language;
  onLanguageChanged: (listener: () => void) => void;
  follow: (running: LanguageSource) => void;
};

export const getSessionLanguage = (env: NodeJS.ProcessEnv, systemLocale: string): string =>
  env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || systemLocale;

/**
 * Uses English until another language is set. `system` lists the languages of the system, the preferred language first.
 */
export const createHostTranslator = (system: readonly string[]): HostTranslator => {
  const listeners = new Set<() => void>();
  let language: Language = 'en';
  let translated: Translator = formatEnglishMessage;

  const switchToLanguage = async (wanted: string): Promise<void> => {
    const next = chooseSupportedLanguage(wanted, system);
    if (next === language) return;
    language = next;
    const texts = next === 'en' ? null : await loadCoreTexts(next);
    // Another call might have set a different language while these texts were loading.
    if (language !== next) return;
    translated = texts === null ? formatEnglishMessage : createMessageTranslator(next, texts);
    for (const listener of listeners) listener();
  };

  const translate = (says: Message | undefined, sentence: string): string =>
    language === 'en' || says === undefined ? sentence : (translated(says) ?? sentence);
  const format: FormatMessage = (key, ...values) => {
    const text = createMessage(key, ...values);
    return translated(text) ?? formatEnglishMessage(text);
  };
  return {
    format,
    translate,
    setLanguage: switchToLanguage,
    language: () => language,
    onLanguageChanged: (listener) => void listeners.add(listener),
    follow: ({ handlers, onChanged }) => {
      const followSettingsLanguage = async (): Promise<void> =>
        switchToLanguage((await handlers['app.state']({})).settings.language);
      void followSettingsLanguage().catch(() => undefined);
      onChanged((topic) => void (topic === 'app' && followSettingsLanguage().catch(() => undefined)));
    },
  };
};
