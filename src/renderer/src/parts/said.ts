/** A run of text: as it came, or one character that would be invisible or reorder what is around it, written out. */
export type Piece = { text: string; escaped: boolean };

/** Controls (except tab and line feed), bidi marks, zero-width and other format characters, lone surrogates, private use. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]/u;
/** Joiners have honest work inside emoji and some scripts; between Latin letters they only hide. */
const joiner = /^[\u200c\u200d]$/u;
const joinable =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Sinh}]/u;

const code = (char: string): string => `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

const isHidden = (chars: readonly string[], at: number): boolean => {
  const char = chars[at] ?? '';
  if (char === '\n' || char === '\t' || !hidden.test(char)) return false;
  return !(joiner.test(char) && joinable.test(chars[at - 1] ?? ''));
};

/** The text with everything that cannot be seen, or that turns the reading direction, written out as `‹U+202E›`. */
export const escapeHidden = (text: string): Piece[] => {
  const chars = [...text];
  const pieces: Piece[] = [];
  for (const [at, char] of chars.entries()) {
    const escaped = isHidden(chars, at);
    const last = pieces.at(-1);
    const shown = escaped ? code(char) : char;
    if (last && last.escaped === escaped) last.text += shown;
    else pieces.push({ text: shown, escaped });
  }
  return pieces;
};

/** The same as one string, for names and labels that cannot hold marks. */
export const plainly = (text: string): string =>
  escapeHidden(text)
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

/** Words that mix scripts whose letters look alike ("аpple" with a Cyrillic а); they read as what they are not. */
export const mixedWords = (text: string): string[] =>
  text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => scripts.filter((script) => script.test(word)).length > 1);
