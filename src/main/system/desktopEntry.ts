type Entry = {
  name: string;
  comment: string;
  /** The program and its arguments; `%F` stands for the files that are handed over. */
  exec: readonly string[];
  mimeTypes?: readonly string[];
  /** Left out of the menu of programs; still offered to open files with. */
  hidden?: boolean;
};

/** An argument as the format wants it: in quotes, with its special characters escaped twice, once for each reading. */
const argument = (word: string): string => {
  if (word === '%F') return word;
  const quoted = word.replace(/["`$\\]/g, (char) => `\\${char}`).replaceAll('%', '%%');
  return `"${quoted}"`.replaceAll('\\', '\\\\');
};

const line = (text: string): string => text.replace(/[\r\n\t]+/g, ' ');

/** The text of a Linux desktop entry. */
export const desktopEntry = ({ name, comment, exec, mimeTypes = [], hidden = false }: Entry): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.4',
    `Name=${line(name)}`,
    `Comment=${line(comment)}`,
    `Exec=${line(exec.map(argument).join(' '))}`,
    'Terminal=false',
    ...(mimeTypes.length > 0 ? [`MimeType=${mimeTypes.join(';')};`] : []),
    ...(hidden ? ['NoDisplay=true'] : []),
    '',
  ].join('\n');
