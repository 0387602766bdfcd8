import { createMessageTranslator, formatMoneyAmount } from './format.ts';
import core from './locales/en/core.json' with { type: 'json' };
import { createMessage, type Message, type MessageArgs, type MessageKey } from './message.ts';

export { core };

// British English writes US$, CA$ and AU$. American English would write a bare $, which is ambiguous.
const locale = 'en-GB';
const translate = createMessageTranslator(locale, core);

/** Returns '' if the text of a stored key has been removed. */
export const formatEnglishMessage = (wanted: Message): string => translate(wanted) ?? '';

export const formatEnglishText = <K extends MessageKey>(key: K, ...values: MessageArgs<K>): string =>
  formatEnglishMessage(createMessage(key, ...values));

/** Formats money with its currency, for example `US$0.35`. `minor` is in minor units. */
export const formatEnglishMoney = (minor: number, currency: string | null | undefined): string =>
  formatMoneyAmount(locale, minor, currency);

/** Older versions stored an English text instead of a key, so the key is found by the text. */
export const findMessageByEnglishText = (area: 'facts' | 'changes', text: string): Message | undefined => {
  const name = Object.entries(core[area]).find(([, english]) => english === text)?.[0];
  return name === undefined ? undefined : { key: `${area}.${name}` };
};
