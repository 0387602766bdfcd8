import { formatEnglish } from '../i18n/english.ts';
import { languageOf, loadCore, type Language } from '../i18n/languages.ts';
import { message, type MessageArgs, type Message, type MessageKey } from '../i18n/message.ts';
import { createTranslator, type Translator } from '../i18n/format.ts';
import type { Running } from './runCompanion.ts';

/** Says a text in the language that is spoken now. */
export type Say = <K extends MessageKey>(key: K, ...values: MessageArgs<K>) => string;

/** What a host says outside its windows, in the person's language. */
export type HostWords = ReturnType<typeof createHostWords>;

/**
 * The words of a host: English until it turns to another language. `system` are the languages of the system, the one it
 * likes best first.
 */
export const createHostWords = (system: readonly string[]) => {
  const listeners = new Set<() => void>();
  let language: Language = 'en';
  let speak: Translator = formatEnglish;

  const turnTo = async (wanted: string): Promise<void> => {
    const next = languageOf(wanted, system);
    if (next === language) return;
    language = next;
    const texts = next === 'en' ? null : await loadCore(next);
    // Another language may have been wanted meanwhile.
    if (language !== next) return;
    speak = texts === null ? formatEnglish : createTranslator(next, texts);
    for (const listener of listeners) listener();
  };

  const translate = (says: Message | undefined, sentence: string): string =>
    language === 'en' || says === undefined ? sentence : (speak(says) ?? sentence);
  const say: Say = (key, ...values) => {
    const says = message(key, ...values);
    return speak(says) ?? formatEnglish(says);
  };
  return {
    say,
    /** A sentence of the core in the language that is spoken now; as it came where that language does not have it. */
    translate,
    turnTo,
    /** The language that is spoken now. */
    language: (): Language => language,
    onTurned: (listener: () => void): void => void listeners.add(listener),
    /** Speaks what the settings say, now and whenever they change. */
    follow: ({ handlers, onChanged }: Pick<Running, 'handlers' | 'onChanged'>): void => {
      const follow = async (): Promise<void> => turnTo((await handlers['app.state']({})).settings.language);
      void follow().catch(() => undefined);
      onChanged((topic) => void (topic === 'app' && follow().catch(() => undefined)));
    },
  };
};
