import * as z from 'zod';
import { reservedLike, skeletonOf } from '../base/similarNames.ts';

const longest = 60;

/** Invisible, direction-changing and unassigned characters, and line ends. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
/**
 * Visible-category characters that render blank: Braille blank, null notehead, Khitan filler, hieroglyph blanks, object
 * placeholder.
 */
const blanks = /\u2800|\ufffc|\u{1D159}|\u{16FE4}|\u{13441}|\u{13442}/gu;
/** Three or more marks can cover neighbouring text; a leading mark would attach to text of the companion. */
const stacked = /\p{M}{3}|^\p{M}/u;

/** Scripts that have lookalike letters or change the text direction. */
const alphabets = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Cherokee', 'Coptic', 'Lisu', 'Hebrew', 'Arabic'],
];
/** Scripts that are commonly mixed with Latin: Japanese, Chinese, Korean. */
const together = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'];

const anyOf = (scripts: readonly string[]): string => `[${scripts.map((script) => `\\p{sc=${script}}`).join('')}]`;
const wholly = [...alphabets, ...together].map((scripts) => new RegExp(`^${anyOf(scripts.split(' '))}*$`, 'u'));
const inPart = new RegExp(anyOf(alphabets), 'u');

/** Rejects mixed scripts, which make homoglyph spoofing possible. */
const isOfOneScript = (name: string): boolean => {
  const letters = name.replace(/\P{L}|\p{sc=Common}|\p{sc=Inherited}/gu, '');
  return !inPart.test(letters) || wholly.some((scripts) => scripts.test(letters));
};

/** A name that contains "companion" could pass for a message of the companion itself. */
const namesCompanion = (name: string): boolean => skeletonOf(name).includes(skeletonOf('companion'));

const isVisible = (name: string): boolean => /[\p{L}\p{N}\p{S}]/u.test(name.replace(blanks, ''));

/**
 * Validates the name that an assistant gives itself: one line, only visible characters, not confusable with the person or
 * the companion. Every assistant name passes this schema.
 */
export const assistantName = z
  .string('Say your name.')
  .transform((name) =>
    name
      .normalize('NFC')
      .replace(/[\p{Zs}\t]+/gu, ' ')
      .trim(),
  )
  .pipe(
    z
      .string()
      .min(1, { error: 'Say your name.', abort: true })
      .max(longest, { error: `A name has at most ${longest} characters.`, abort: true })
      .refine((name) => !unseen.test(name), 'A name has no invisible characters.')
      .refine((name) => !stacked.test(name), 'A name has at most two marks on a letter.')
      .refine(isVisible, 'A name has something to see.')
      .refine(isOfOneScript, 'A name has letters of one script only.')
      .refine((name) => reservedLike(name) !== 'person', 'This name stands for the person or for Listing Companion.')
      .refine((name) => !namesCompanion(name), 'An assistant has a name of its own, without the word Companion.'),
  );

/** Returns the given name cut to the maximum length, or the fallback if it is not a valid assistant name. */
export const nameOrElse = (given: string, otherwise: string): string => {
  const { data } = assistantName.safeParse([...given].slice(0, longest).join(''));
  return data === undefined || reservedLike(data) !== null ? otherwise : data;
};

/**
 * Reduces an assistant's text for the person to one line without invisible characters. Undefined if nothing visible
 * remains.
 */
export const plainWords = (words: string | undefined): string | undefined => {
  const plain = words
    ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(new RegExp(unseen.source, 'gu'), '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return plain === undefined || !isVisible(plain) ? undefined : plain;
};
