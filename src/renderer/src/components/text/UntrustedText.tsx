import { useState } from 'react';
import { formatCodePoint, hiddenCharacter } from '../../../../text/escapes.ts';
import { t } from '../../i18n.ts';
import styles from './untrustedText.module.css';

/** `escaped` is true if the piece replaces a character that is invisible or changes the direction of the text. */
export type TextPiece = { text: string; escaped: boolean };

const emoji = /\p{Extended_Pictographic}/u;
/** These characters are allowed between an emoji and the joiner after it. */
const emojiModifier = /[\p{Emoji_Modifier}\ufe0f]/u;
/** In these scripts, letters change their shape next to a joiner. */
const joiningScripts =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}]/u;

type AllowedPlace = (before: string, after: string) => boolean;

/** These hidden characters are allowed inside an emoji, or between letters that they join. */
const allowedPlaces: Readonly<Record<string, AllowedPlace>> = {
  '\u200c': (before) => joiningScripts.test(before) && !hiddenCharacter.test(before),
  '\u200d': (before, after) =>
    ((emoji.test(before) || emojiModifier.test(before)) && emoji.test(after)) ||
    (joiningScripts.test(before) && !hiddenCharacter.test(before)),
  // These two variation selectors choose text or emoji presentation. Keycaps also contain U+FE0F.
  '\ufe0e': (before) => emoji.test(before),
  '\ufe0f': (before, after) => emoji.test(before) || (/[0-9#*]/.test(before) && after === '\u20e3'),
};

const isHiddenCharacter = (chars: readonly string[], at: number): boolean => {
  const char = chars[at] ?? '';
  if (char === '\n' || char === '\t' || !hiddenCharacter.test(char)) return false;
  return !allowedPlaces[char]?.(chars[at - 1] ?? '', chars[at + 1] ?? '');
};

/** Escapes characters that are invisible or change the direction, for example as `‹U+202E›`. */
export const escapeHiddenCharacters = (text: string): TextPiece[] => {
  // Most texts have none. Lists render hundreds of texts, and a test of each character takes much longer.
  if (!hiddenCharacter.test(text)) return text === '' ? [] : [{ text, escaped: false }];
  const chars = [...text];
  const pieces: TextPiece[] = [];
  for (const [at, char] of chars.entries()) {
    const escaped = isHiddenCharacter(chars, at);
    const last = pieces.at(-1);
    const shown = escaped ? formatCodePoint(char) : char;
    if (last && last.escaped === escaped) last.text += shown;
    else pieces.push({ text: shown, escaped });
  }
  return pieces;
};

/** Returns the escaped text as a plain string, for accessible names and labels, which cannot contain React elements. */
export const escapeHiddenText = (text: string): string =>
  escapeHiddenCharacters(text)
    .map((piece) => piece.text)
    .join('');

const scripts = [
  /\p{sc=Latin}/u,
  /\p{sc=Cyrillic}/u,
  /\p{sc=Greek}/u,
  /\p{sc=Armenian}/u,
  /\p{sc=Hebrew}/u,
  /\p{sc=Arabic}/u,
  /\p{sc=Cherokee}/u,
];

/**
 * Returns the words that mix two of `scripts`. Letters of different scripts can look alike, so such a word can deceive.
 */
export const listMixedScriptWords = (text: string): string[] =>
  text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => scripts.filter((script) => script.test(word)).length > 1);

/** Most texts have no hidden character. Lists render hundreds of texts, so these have only one element. */
const TextPieces = ({ text }: { text: string }) => {
  if (!hiddenCharacter.test(text)) return <bdi className={styles.untrusted}>{text}</bdi>;
  return (
    <span className={styles.untrusted}>
      {escapeHiddenCharacters(text).map((piece, at) =>
        piece.escaped ? (
          <mark key={at} className={styles.hidden} title={t('parts.hidden')}>
            {piece.text}
          </mark>
        ) : (
          <bdi key={at}>{piece.text}</bdi>
        ),
      )}
    </span>
  );
};

type ShowAllProps = { open: boolean; count: number; onOpen: (open: boolean) => void };

export const ShowAllButton = ({ open, count, onOpen }: ShowAllProps) => (
  <button type="button" className={styles.more} aria-expanded={open} onClick={() => onOpen(!open)}>
    {open ? t('parts.showLess') : t('parts.showAll', { count })}
  </button>
);

export const MixedScriptWarning = ({ text }: { text: string }) => {
  const mixed = listMixedScriptWords(text);
  if (mixed.length === 0) return null;
  const words = mixed
    .slice(0, 3)
    .map((word) => `“${word}”`)
    .join(', ');
  return <span className={styles.mixed}>{t('parts.mixed', { words })}</span>;
};

type Props = { text: string; fold?: number; flag?: boolean };

export const UntrustedText = ({ text, fold = 400, flag = true }: Props) => {
  const [open, setOpen] = useState(false);
  const long = text.length > fold;
  // The text is cut between code points, because half a surrogate pair would be escaped as a hidden character.
  const shown = long && !open ? `${[...text].slice(0, fold).join('')}…` : text;
  return (
    <>
      <TextPieces text={shown} />
      {long && <ShowAllButton open={open} count={text.length} onOpen={setOpen} />}
      {flag && <MixedScriptWarning text={text} />}
    </>
  );
};
