import { formatEnglishMessage } from '../i18n/english.ts';
import { chooseUsedLanguage, loadCoreTexts, type Language } from '../i18n/languages.ts';
import { createMessage, type MessageArgs, type Message, type MessageKey } from '../i18n/message.ts';
import { createMessageTranslator, type Translator } from '../i18n/format.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { createHandlers } from './handlers.ts';

export type FormatMessage = <K extends MessageKey>(key: K, ...values: MessageArgs<K>) => string;

/** The source of the language setting and of its changes. */
type LanguageSource = Pick<Companion, 'onChanged'> & {
  handlers: Pick<ReturnType<typeof createHandlers>, 'app.state'>;
};

/** The texts that a host shows outside its windows, in the person's language. */
export type HostTranslator = {
  format: FormatMessage;
  /** Translates a sentence of the core; returns it unchanged if the language has no translation. */
  translate: (says: Message | undefined, sentence: string) => string;
  /** Sets a language by code, or `system`. Settles when its texts are loaded. */
  setLanguage: (wanted: string) => Promise<void>;
  language: () => Language;
  onLanguageChanged: (listener: () => void) => void;
  /** Uses the language of the settings, now and after every change. */
  follow: (running: LanguageSource) => void;
};

/**
 * Returns the language of a terminal session from the POSIX variables, or the system's locale, for example on Windows.
 */
export const readSessionLanguage = (env: NodeJS.ProcessEnv, systemLocale: string): string =>
  env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || systemLocale;

/**
 * Creates the texts of a host, in English until another language is set. `system` lists the languages of the system,
 * the preferred one first.
 */
export const createHostTranslator = (system: readonly string[]): HostTranslator => {
  const listeners = new Set<() => void>();
  let language: Language = 'en';
  let translated: Translator = formatEnglishMessage;

  const switchToLanguage = async (wanted: string): Promise<void> => {
    const next = chooseUsedLanguage(wanted, system);
    if (next === language) return;
    language = next;
    const texts = next === 'en' ? null : await loadCoreTexts(next);
    // Another language may have been set while this one was loading.
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
