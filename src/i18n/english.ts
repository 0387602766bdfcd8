import { createTranslator, formatMoney } from './format.ts';
import core from './locales/en/core.json' with { type: 'json' };
import { message, type Message, type MessageArgs, type MessageKey } from './message.ts';

export { core };

// British English writes US$, CA$ and AU$; American English writes a bare $ for US dollars.
const locale = 'en-GB';
const translate = createTranslator(locale, core);

/** Returns the English sentence of a message, or '' if its text no longer exists. */
export const formatEnglish = (wanted: Message): string => translate(wanted) ?? '';

export const englishText = <K extends MessageKey>(key: K, ...values: MessageArgs<K>): string =>
  formatEnglish(message(key, ...values));

/** Formats money in English, always with its currency: `US$0.35`, `€12.00`. `minor` is in minor units. */
export const formatEnglishMoney = (minor: number, currency: string | null | undefined): string =>
  formatMoney(locale, minor, currency);

/** Finds the message of an English text in an area, for data stored before texts had keys. */
export const messageOfEnglish = (area: 'facts' | 'changes', text: string): Message | undefined => {
  const name = Object.entries(core[area]).find(([, english]) => english === text)?.[0];
  return name === undefined ? undefined : { key: `${area}.${name}` };
};
