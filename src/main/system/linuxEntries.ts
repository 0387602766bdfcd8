import { join } from 'node:path';
import { desktopEntry } from './desktopEntry.ts';
import { entryFile } from './entryFile.ts';

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
