import type { CoreParams } from './coreParams.d.ts';
import type core from './locales/en/core.json';

/** An amount in minor units, formatted by each language. */
export type Amount = { minor: number; currency: string | null };

export type PointInTime = { at: number };
/** A language code, shown as the name of the language. */
export type LanguageCode = { language: string };

/** The value of a placeholder: a literal text, a number, an amount, a time, a language, or a nested message. */
export type MessageValue = string | number | Amount | PointInTime | LanguageCode | Message;
export type MessageValues = Readonly<Record<string, MessageValue>>;

/**
 * A translatable sentence: the text's key "area.name" and its values. It is stored and sent together with the English
 * sentence, so a stored key may no longer exist.
 */
export type Message = { key: string; values?: MessageValues | undefined };

type English = typeof core;
/** A text with plural forms has the keys `name_one`, `name_other` and so on; callers use `name`. */
type NameOf<K> = K extends `${infer Stem}_other` ? Stem : K extends `${string}_one` ? never : K;

/** The names of the texts in an area, without plural endings. */
export type TextName<Area extends keyof English> = NameOf<keyof English[Area]> & string;
export type MessageKey = { [Area in keyof English]: `${Area}.${TextName<Area>}` }[keyof English];

type PlacesOf<K extends MessageKey> = K extends keyof CoreParams ? CoreParams[K] : never;

/** The values argument of `createMessage`; omitted if the text has no placeholders. */
export type MessageArgs<K extends MessageKey> = [PlacesOf<K>] extends [never]
  ? []
  : [values: Readonly<Record<PlacesOf<K>, MessageValue>>];

/** Creates a message of a key of the English catalogue, with all values that its text needs. */
export const createMessage = <K extends MessageKey>(key: K, ...[values]: MessageArgs<K>): Message =>
  values === undefined ? { key } : { key, values };
