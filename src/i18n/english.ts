import { createMessageTranslator, formatMoneyAmount } from './format.ts';
import core from './locales/en/core.json' with { type: 'json' };
import { createMessage, type Message, type MessageArgs, type MessageKey } from './message.ts';

export { core };

// British English writes US$, CA$ and AU$; American English writes a bare $ for US dollars.
const locale = 'en-GB';
const translate = createMessageTranslator(locale, core);

/** Returns the English sentence of a message, or '' if its text no longer exists. */
export const formatEnglishMessage = (wanted: Message): string => translate(wanted) ?? '';

export const formatEnglishText = <K extends MessageKey>(key: K, ...values: MessageArgs<K>): string =>
  formatEnglishMessage(createMessage(key, ...values));

/** Formats money in English, always with its currency: `US$0.35`, `€12.00`. `minor` is in minor units. */
export const formatEnglishMoney = (minor: number, currency: string | null | undefined): string =>
  formatMoneyAmount(locale, minor, currency);

/** Finds the message of an English text in an area, for data stored before texts had keys. */
export const findMessageOfEnglish = (area: 'facts' | 'changes', text: string): Message | undefined => {
  const name = Object.entries(core[area]).find(([, english]) => english === text)?.[0];
  return name === undefined ? undefined : { key: `${area}.${name}` };
};
