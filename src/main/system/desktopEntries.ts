import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeFile } from '../../disk/changeFiles.ts';

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

/** A desktop entry that is there or not, as the person wants. */
const entryFile = (path: string, text: () => string) => ({
  isThere: (): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    ),
  set: async (on: boolean): Promise<void> => {
    if (!on) return removeFile(path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text());
  },
});

type Machine = {
  env: NodeJS.ProcessEnv;
  home: string;
  /** How the companion is started: the program, and its folder where it is not packaged. */
  start: readonly string[];
};

const name = 'Listing Companion';
const comment = 'Turns photos into listings';

/** The two entries that the companion may write on Linux: its start at the login, and its place in "Open with". */
export const linuxEntries = ({ env, home, start }: Machine) => ({
  login: entryFile(
    join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'autostart', 'listing-companion.desktop'),
    () => desktopEntry({ name, comment, exec: [...start, '--hidden'] }),
  ),
  fileManager: entryFile(
    join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'applications', 'listing-companion-add.desktop'),
    () =>
      desktopEntry({
        name: `Add to ${name}`,
        comment: 'Each folder becomes one item',
        exec: [...start, '%F'],
        mimeTypes: ['inode/directory', 'image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/avif'],
        hidden: true,
      }),
  ),
});
