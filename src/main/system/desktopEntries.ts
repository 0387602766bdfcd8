import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeFile } from '../../disk/changeFiles.ts';

type DesktopEntry = {
  name: string;
  comment: string;
  /** `%F` is the placeholder for the files to open. */
  exec: readonly string[];
  mimeTypes?: readonly string[];
  /** The application menu hides the entry, but "Open with" still offers it. */
  hidden?: boolean;
};

/** The format is parsed twice, so special characters are escaped twice. */
const quoteExecArgument = (word: string): string => {
  if (word === '%F') return word;
  const quoted = word.replace(/["`$\\]/g, (char) => `\\${char}`).replaceAll('%', '%%');
  return `"${quoted}"`.replaceAll('\\', '\\\\');
};

const toSingleLine = (text: string): string => text.replace(/[\r\n\t]+/g, ' ');

export const formatDesktopEntry = ({ name, comment, exec, mimeTypes = [], hidden = false }: DesktopEntry): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.4',
    `Name=${toSingleLine(name)}`,
    `Comment=${toSingleLine(comment)}`,
    `Exec=${toSingleLine(exec.map(quoteExecArgument).join(' '))}`,
    'Terminal=false',
    ...(mimeTypes.length > 0 ? [`MimeType=${mimeTypes.join(';')};`] : []),
    ...(hidden ? ['NoDisplay=true'] : []),
    '',
  ].join('\n');

const createEntryFile = (path: string, text: () => string) => ({
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
  /** The path of the program. An unpackaged copy adds the folder of the app. */
  start: readonly string[];
};

const name = 'Listing Companion';
const comment = 'Turns photos into listings';

export const createLinuxEntries = ({ env, home, start }: Machine) => ({
  login: createEntryFile(
    join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'autostart', 'listing-companion.desktop'),
    () => formatDesktopEntry({ name, comment, exec: [...start, '--hidden'] }),
  ),
  fileManager: createEntryFile(
    join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'applications', 'listing-companion-add.desktop'),
    () =>
      formatDesktopEntry({
        name: `Add to ${name}`,
        comment: 'Each folder becomes one item',
        exec: [...start, '%F'],
        mimeTypes: ['inode/directory', 'image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/avif'],
        hidden: true,
      }),
  ),
});
