import * as z from 'zod';
import { findReservedLikeness, toNameSkeleton } from '../base/similarNames.ts';

const maxNameLength = 60;

const invisibleCharacters = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
/** Unicode classes these characters as visible, but they render blank. */
const blankCharacters = /\u2800|\ufffc|\u{1D159}|\u{16FE4}|\u{13441}|\u{13442}/gu;
/** Three or more marks can cover neighbouring text, and a leading mark would attach to text of the companion. */
const stackedMarks = /\p{M}{3}|^\p{M}/u;

/** Letters of these scripts look alike or change the text direction. */
const confusableScripts = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Cherokee', 'Coptic', 'Lisu', 'Hebrew', 'Arabic'],
];
/** Japanese, Chinese and Korean text is often mixed with Latin letters. */
const mixedScripts = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'];

const buildScriptClass = (scripts: readonly string[]): string =>
  `[${scripts.map((script) => `\\p{sc=${script}}`).join('')}]`;
const singleScriptPatterns = [...confusableScripts, ...mixedScripts].map(
  (scripts) => new RegExp(`^${buildScriptClass(scripts.split(' '))}*$`, 'u'),
);
const confusableScriptPattern = new RegExp(buildScriptClass(confusableScripts), 'u');

/** A name must not mix scripts, because mixed scripts make lookalike names possible. */
const usesSingleScript = (name: string): boolean => {
  const letters = name.replace(/\P{L}|\p{sc=Common}|\p{sc=Inherited}/gu, '');
  return !confusableScriptPattern.test(letters) || singleScriptPatterns.some((scripts) => scripts.test(letters));
};

/** A name with this word could look like a message of the companion itself. */
const containsCompanionName = (name: string): boolean => toNameSkeleton(name).includes(toNameSkeleton('companion'));

const hasVisibleCharacter = (name: string): boolean => /[\p{L}\p{N}\p{S}]/u.test(name.replace(blankCharacters, ''));

/**
 * The schema of every assistant name: one line of visible characters that does not resemble the person or the
 * companion.
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
      .max(maxNameLength, { error: `A name has at most ${maxNameLength} characters.`, abort: true })
      .refine((name) => !invisibleCharacters.test(name), 'A name has no invisible characters.')
      .refine((name) => !stackedMarks.test(name), 'A name has at most two marks on a letter.')
      .refine(hasVisibleCharacter, 'A name has something to see.')
      .refine(usesSingleScript, 'A name has letters of one script only.')
      .refine(
        (name) => findReservedLikeness(name) !== 'person',
        'This name stands for the person or for Listing Companion.',
      )
      .refine(
        (name) => !containsCompanionName(name),
        'An assistant has a name of its own, without the word Companion.',
      ),
  );

/** Returns the name cut to the maximum length, or `otherwise` if the name is invalid or reserved. */
export const sanitizeAssistantName = (given: string, otherwise: string): string => {
  const { data } = assistantName.safeParse([...given].slice(0, maxNameLength).join(''));
  return data === undefined || findReservedLikeness(data) !== null ? otherwise : data;
};

/** Returns the text on one line without invisible characters; undefined if nothing visible remains. */
export const sanitizeAssistantText = (words: string | undefined): string | undefined => {
  const plain = words
    ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(new RegExp(invisibleCharacters.source, 'gu'), '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return plain === undefined || !hasVisibleCharacter(plain) ? undefined : plain;
};
