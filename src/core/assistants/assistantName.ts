import * as z from 'zod';
import { reservedLike, skeletonOf } from '../base/similarNames.ts';

const longest = 60;

/** Characters that are not seen, that turn the direction of a text, or of which nobody knows what they look like; and ends of lines. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
/** Signs and letters that are drawn as nothing: Braille blank, null notehead, filler of Khitan, blanks of hieroglyphs, place of an object. */
const blanks = /\u2800|\ufffc|\u{1D159}|\u{16FE4}|\u{13441}|\u{13442}/gu;
/** More marks on one letter than any language writes cover what stands around it; one without a letter lands on ours. */
const stacked = /\p{M}{3}|^\p{M}/u;

/** Scripts with letters that look like those of another, or that turn the direction. */
const alphabets = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Cherokee', 'Coptic', 'Lisu', 'Hebrew', 'Arabic'],
];
/** What people write with Latin letters in between: Japanese, Chinese, Korean. */
const together = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'];

const anyOf = (scripts: readonly string[]): string => `[${scripts.map((script) => `\\p{sc=${script}}`).join('')}]`;
const wholly = [...alphabets, ...together].map((scripts) => new RegExp(`^${anyOf(scripts.split(' '))}*$`, 'u'));
const inPart = new RegExp(anyOf(alphabets), 'u');

/** A letter of one script among those of another is there to look like one of them. */
const isOfOneScript = (name: string): boolean => {
  const letters = name.replace(/\P{L}|\p{sc=Common}|\p{sc=Inherited}/gu, '');
  return !inPart.test(letters) || wholly.some((scripts) => scripts.test(letters));
};

/** A name that holds the companion's own reads like a message of the companion, with whatever words around it. */
const namesCompanion = (name: string): boolean => skeletonOf(name).includes(skeletonOf('companion'));

const isVisible = (name: string): boolean => /[\p{L}\p{N}\p{S}]/u.test(name.replace(blanks, ''));

/**
 * A name that an assistant gives itself, as the person will read it beside ours: on one line, everything in it to be
 * seen, and none that stands for the person or for the companion. Every name comes in by this.
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

/** The name that a program gives itself, cut to what a name may be; what is none of an assistant's becomes `otherwise`. */
export const nameOrElse = (given: string, otherwise: string): string => {
  const { data } = assistantName.safeParse([...given].slice(0, longest).join(''));
  return data === undefined || reservedLike(data) !== null ? otherwise : data;
};

/** An assistant's words for the person, on one line and without what cannot be seen. Undefined where nothing is left. */
export const plainWords = (words: string | undefined): string | undefined => {
  const plain = words
    ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(new RegExp(unseen.source, 'gu'), '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return plain === undefined || !isVisible(plain) ? undefined : plain;
};
