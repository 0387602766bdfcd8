import type { CoreParams } from './coreParams.d.ts';
import type core from './locales/en/core.json';

/** An amount in a currency's minor unit; each language writes it its own way. */
export type Amount = { minor: number; currency: string | null };

/** A point in time, in milliseconds; each language writes it its own way. */
export type PointInTime = { at: number };
/** A language by its code; each language has its own name for it. */
export type LanguageCode = { language: string };

/** What stands at a place of a text: words as they are, a number, an amount, a time, a language, or a text again. */
export type MessageValue = string | number | Amount | PointInTime | LanguageCode | Message;
export type MessageValues = Readonly<Record<string, MessageValue>>;

/**
 * What any language makes a sentence from: the text's key, "area.name", and the values at its places. It travels and is
 * stored beside the English sentence, so the key of an older one may be unknown by now.
 */
export type Message = { key: string; values?: MessageValues | undefined };

type English = typeof core;
/** A text with plural forms stands under `name_one`, `name_other` and so on, and is asked for by its name. */
type NameOf<K> = K extends `${infer Stem}_other` ? Stem : K extends `${string}_one` ? never : K;

/** The names of the texts in an area of the core's catalogue. */
export type TextName<Area extends keyof English> = NameOf<keyof English[Area]> & string;
/** Every key of the core in English: "area.name", without plural endings. */
export type MessageKey = { [Area in keyof English]: `${Area}.${TextName<Area>}` }[keyof English];

type PlacesOf<K extends MessageKey> = K extends keyof CoreParams ? CoreParams[K] : never;

/** The second argument of what makes a message of a key, one value a place; left out when the text has no places. */
export type MessageArgs<K extends MessageKey> = [PlacesOf<K>] extends [never]
  ? []
  : [values: Readonly<Record<PlacesOf<K>, MessageValue>>];

/** A message of a key that English has, with every value that its text needs. */
export const message = <K extends MessageKey>(key: K, ...[values]: MessageArgs<K>): Message =>
  values === undefined ? { key } : { key, values };
