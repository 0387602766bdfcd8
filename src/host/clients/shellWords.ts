/** The shell that a text for a terminal is written for. */
export type Shell = 'posix' | 'powershell';

/** The shell that a person of this system has before them. */
export const shellOf = (platform: NodeJS.Platform): Shell => (platform === 'win32' ? 'powershell' : 'posix');

const plainPosix = /^[\w./:@%+=,-]+$/;
const posixWord = (word: string): string =>
  plainPosix.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const plainWindows = /^[\w.\\/:+=,-]+$/;
/** A backslash before the closing quote would escape it for the program that is started. */
const endQuoted = (word: string): string => word.replace(/\\+$/, '$&$&');
/** In double quotes, which cmd takes as well, unless one of the shells would put something in its place. */
const powershellWord = (word: string): string => {
  // PowerShell keeps a bare "--" for itself when the program is a script of its own.
  if (plainWindows.test(word) && word !== '--') return word;
  if (!/[$`%!"“”„]/.test(word)) return `"${endQuoted(word)}"`;
  return `'${endQuoted(word).replaceAll(/['‘’‚‛]/g, '$&$&')}'`;
};

const wordIn = { posix: posixWord, powershell: powershellWord } satisfies Record<Shell, (word: string) => string>;

/** One line for a terminal that means exactly these words. */
export const shellLine = (shell: Shell, words: readonly string[]): string => words.map(wordIn[shell]).join(' ');
