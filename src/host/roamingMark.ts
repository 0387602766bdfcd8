import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { discardFolderSync } from '../disk/changeFiles.ts';
import { writeWholeSync } from '../disk/writeWhole.ts';

const noteOf = (roaming: string): string => join(roaming, 'moved.txt');

/** Whether a folder in the roaming profile holds no data, but only what makes earlier versions refuse to start. */
export const isRoamingMark = (roaming: string): boolean => existsSync(noteOf(roaming));

/**
 * An empty database of SQLite that says it is of a later version than any: one page of 512 bytes, made here, as SQLite itself is
 * too much to load before the data folder is known.
 */
export const laterDatabase = (): Buffer => {
  const page = Buffer.alloc(512);
  page.write('SQLite format 3\0', 'latin1');
  page.writeUInt16BE(page.length, 16);
  // Versions of the format, and the fractions of a page that SQLite prescribes.
  page.set([1, 1, 0, 64, 32, 32], 18);
  // The counter of changes, the number of pages, the form of the schema, UTF-8.
  for (const [at, value] of [
    [24, 1],
    [28, 1],
    [44, 4],
    [56, 1],
    [92, 1],
  ] as const)
    page.writeUInt32BE(value, at);
  page.writeUInt32BE(0x7fff_ffff, 60);
  // The schema: a leaf of a tree without a row, whose content would begin at the end of the page.
  page.writeUInt8(0x0d, 100);
  page.writeUInt16BE(page.length, 105);
  return page;
};

/**
 * Leaves in the roaming profile what makes earlier versions, which look for their data there, refuse with their sentence about a newer
 * version, where they would begin without the person's data. A folder that cannot be written stops no start.
 */
export const leaveRoamingMark = (roaming: string): void => {
  const database = join(roaming, 'companion.db');
  if (existsSync(database)) return;
  try {
    mkdirSync(roaming, { recursive: true });
    writeWholeSync(
      noteOf(roaming),
      'The data of Listing Companion are in the folder of this name below AppData\\Local. The empty database here makes earlier versions refuse to start.\r\n',
    );
    writeWholeSync(database, laterDatabase());
  } catch {
    // The next start tries again.
  }
};

/** Removes the mark, with what earlier versions wrote beside it before they refused. Data of an earlier version stay. */
export const removeRoamingMark = (roaming: string): void => {
  if (isRoamingMark(roaming)) discardFolderSync(roaming);
};
