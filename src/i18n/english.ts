import { createTranslator, formatMoney } from './format.ts';
import core from './locales/en/core.json' with { type: 'json' };
import { message, type Message, type MessageArgs, type MessageKey } from './message.ts';

/** The texts of the core in English: the one source of these sentences. */
export { core };

// British English names foreign dollars apart (US$, CA$, AU$), which American English does not.
const locale = 'en-GB';
const translate = createTranslator(locale, core);

/** The English sentence of a message; empty for one whose text is gone. */
export const formatEnglish = (wanted: Message): string => translate(wanted) ?? '';

/** The English sentence of a key. */
export const englishText = <K extends MessageKey>(key: K, ...values: MessageArgs<K>): string =>
  formatEnglish(message(key, ...values));

/** Money in English, always with its currency: `US$0.35`, `€12.00`. `minor` is in the currency's minor unit. */
export const formatEnglishMoney = (minor: number, currency: string | null | undefined): string =>
  formatMoney(locale, minor, currency);

/** The message of the text in an area that reads so in English: what was stored before texts had keys is known by its words. */
export const messageOfEnglish = (area: 'facts' | 'changes', text: string): Message | undefined => {
  const name = Object.entries(core[area]).find(([, english]) => english === text)?.[0];
  return name === undefined ? undefined : { key: `${area}.${name}` };
};
