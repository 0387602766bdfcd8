import type { CoreParams } from './coreParams.d.ts';
import type { WeightUnits } from './weights.ts';
import type core from './locales/en/core.json';

/** `minor` is in minor units. */
export type Amount = { minor: number; currency: string | null };

export type PointInTime = { at: number };
export type LanguageCode = { language: string };
export type Weight = { grams: number; units: WeightUnits };

export type MessageValue = string | number | Amount | PointInTime | LanguageCode | Weight | Message;
export type MessageValues = Readonly<Record<string, MessageValue>>;

/** `key` has the form "area.name". The database stores messages, so a stored key might no longer exist. */
export type Message = { key: string; values?: MessageValues | undefined };

type English = typeof core;
/** A text with plural forms has the keys `name_one` and `name_other`, but callers use `name`. */
type NameOf<K> = K extends `${infer Stem}_other` ? Stem : K extends `${string}_one` ? never : K;

export type TextName<Area extends keyof English> = NameOf<keyof English[Area]> & string;
export type MessageKey = { [Area in keyof English]: `${Area}.${TextName<Area>}` }[keyof English];

type PlacesOf<K extends MessageKey> = K extends keyof CoreParams ? CoreParams[K] : never;

export type MessageArgs<K extends MessageKey> = [PlacesOf<K>] extends [never]
  ? []
  : [values: Readonly<Record<PlacesOf<K>, MessageValue>>];

export const createMessage = <K extends MessageKey>(key: K, ...[values]: MessageArgs<K>): Message =>
  values === undefined ? { key } : { key, values };
