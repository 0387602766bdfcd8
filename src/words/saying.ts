import type { En } from './en/index.ts';

/** An amount in a currency's minor unit; each language writes it its own way. */
export type Amount = { minor: number; currency: string | null };

/** What stands at a place of a text: words as they are, a number, an amount, or a text again. */
export type Value = string | number | Amount | Saying;
export type Values = Readonly<Record<string, Value>>;

/**
 * What any language says a sentence from: the text's key, "area.name", and the values at its places. It travels and is
 * stored beside the English sentence, so the key of an older one may be unknown by now.
 */
export type Saying = { key: string; values?: Values | undefined };

/** A text with places like {{name}}. One with plural forms is chosen by the value `count`. */
export type Text = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string });
export type Texts = Readonly<Record<string, Readonly<Record<string, Text>>>>;

/** Every text, as English has it: another language that misses one, or has one too many, does not compile. */
export type TextsOf<T> = {
  [Area in keyof T]: { [Name in keyof T[Area]]: T[Area][Name] extends string ? string : Text };
};
export type Words = TextsOf<En>;

type KeyIn<Area extends keyof En> = `${Area}.${keyof En[Area] & string}`;
export type SayingKey = { [Area in keyof En]: KeyIn<Area> }[keyof En];

type TextAt<K extends SayingKey> = K extends `${infer Area extends keyof En}.${infer Name}`
  ? Name extends keyof En[Area]
    ? En[Area][Name]
    : never
  : never;
type PlacesIn<T> = T extends `${string}{{${infer Place}}}${infer Rest}` ? Place | PlacesIn<Rest> : never;
type PlacesOf<T> = T extends string ? PlacesIn<T> : 'count' | PlacesIn<T[keyof T]>;

/** The values that a text needs, one a place. */
export type ValuesOf<K extends SayingKey> = Readonly<Record<PlacesOf<TextAt<K>>, Value>>;
/** The second argument of what says a key: left out when the text has no places. */
export type Given<K extends SayingKey> = [PlacesOf<TextAt<K>>] extends [never] ? [] : [values: ValuesOf<K>];

/** A saying of a key that English has, with every value that its text needs. */
export const saying = <K extends SayingKey>(key: K, ...[values]: Given<K>): Saying =>
  values === undefined ? { key } : { key, values };
